import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { recordExpiry } from "../../../src/db/library/uploads.ts";
import {
  expectConsistent,
  expectNothingLeft,
  meterOf,
  readMeter,
  replaceStores,
  restoreStores,
  setUsedTenths,
  storedKeys,
  uploadRowIds,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, libraryOf } from "../../support/api/databases.ts";
import { changeImage, deleteImage, getImage, moveToTrash, patchImage, uploadMany } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { begin, create, metadata, patch } from "../../support/uploads/tus.ts";

const HOUR = 3_600_000;
const picture = { name: "a.png", bytes: png() };

function later(ms = HOUR): string {
  return new Date(Date.now() + ms).toISOString();
}

async function uploaded(account: TestAccount, fields: Record<string, string> = {}): Promise<string> {
  return (await uploadOne(account.token, picture, fields))._id;
}

function expiriesOf(accountId: string): Promise<{ upload_id: string; at: number }[]> {
  return runInDurableObject(meterOf(accountId), (_, { storage }) =>
    storage.sql
      .exec<{ upload_id: string; at: number }>("SELECT upload_id, at FROM expiries ORDER BY upload_id")
      .toArray(),
  );
}

/** Moves the account's expiries into the past. */
async function comeDue(accountId: string): Promise<void> {
  await runInDurableObject(meterOf(accountId), async (_, { storage }) => {
    storage.sql.exec("UPDATE expiries SET at = 1, try_at = 1");
    await storage.setAlarm(Date.now() + HOUR);
  });
}

async function ring(accountId: string): Promise<void> {
  await runInDurableObject(meterOf(accountId), (_, { storage }) => storage.setAlarm(Date.now() + HOUR));
  await runDurableObjectAlarm(meterOf(accountId));
}

/** Makes the intents of the account due, and rings its alarm. */
async function replay(accountId: string): Promise<void> {
  await runInDurableObject(meterOf(accountId), (_, { storage }) => {
    storage.sql.exec("UPDATE intents SET due_at = 1");
  });
  await ring(accountId);
}

describe("expiresAt", () => {
  it("A file is deleted at its `expiresAt`: row, object and storage; it counts as a deletion", async () => {
    const account = await openAccount();
    const id = await uploaded(account);
    const expiresAt = later();
    expect(await changeImage(account.token, id, { expiresAt })).toMatchObject({ expiresAt });
    expect(await getImage(account.token, id)).toMatchObject({ expiresAt });
    expect(await expiriesOf(account.id)).toEqual([{ upload_id: id, at: Date.parse(expiresAt) }]);
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([id]);
    await comeDue(account.id);
    await ring(account.id);
    expect([await uploadRowIds(account.id), await storedKeys(account.id)]).toEqual([[], []]);
    expect(await expiriesOf(account.id)).toEqual([]);
    const { usedTenths, storageBytes, operations } = await readMeter(account.id);
    expect([usedTenths, storageBytes]).toEqual([20, 0]);
    expect(operations.map(({ type, key_id }) => [type, key_id])).toEqual([
      ["delete", null],
      ["upload", null],
    ]);
    await expectConsistent(account.id);
  });

  it("The alarm is set for the first expiry", async () => {
    const account = await openAccount();
    const expiresAt = later(2 * HOUR);
    await changeImage(account.token, await uploaded(account), { expiresAt });
    await replay(account.id);
    await replay(account.id);
    const alarm = await runInDurableObject(meterOf(account.id), (_, { storage }) => storage.getAlarm());
    expect(alarm).toBe(Date.parse(expiresAt));
  });

  it("A later `expiresAt` puts the deletion off, and null removes it", async () => {
    const account = await openAccount();
    const id = await uploaded(account);
    await changeImage(account.token, id, { expiresAt: later() });
    await comeDue(account.id);
    await changeImage(account.token, id, { expiresAt: later(2 * HOUR) });
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([id]);
    expect(await changeImage(account.token, id, { expiresAt: null })).toMatchObject({ expiresAt: null });
    expect(await expiriesOf(account.id)).toEqual([]);
  });

  it.each([
    ["a form", (account: TestAccount, fields: Record<string, string>) => upload(account.uploadKey, [picture], fields)],
    [
      "a raw body",
      ({ uploadKey }: TestAccount, fields: Record<string, string>) =>
        call(`/images/upload?${new URLSearchParams(fields)}`, {
          method: "POST",
          headers: bearer(uploadKey),
          body: png(),
        }),
    ],
    [
      "a tus upload",
      async ({ uploadKey }: TestAccount, fields: Record<string, string>) =>
        patch(uploadKey, await begin(uploadKey, 9_000_000, fields), 0, mp4(9_000_000)),
    ],
  ])("`expiresIn` and `expiresAt` of %s are kept with the upload's settling", async (_, send) => {
    const account = await openAccount();
    const expiresAt = later();
    const first = await (await send(account, { expiresAt })).json<{ _id: string; expiresAt: string }>();
    expect(first.expiresAt).toBe(expiresAt);
    const second = await (await send(account, { expiresIn: "60" })).json<{ _id: string; expiresAt: string }>();
    expect(Math.abs(Date.parse(second.expiresAt) - Date.now() - 60_000)).toBeLessThan(30_000);
    const kept = new Map((await expiriesOf(account.id)).map(({ upload_id, at }) => [upload_id, at]));
    expect([kept.get(first._id), kept.get(second._id)]).toEqual(
      [first, second].map((each) => Date.parse(each.expiresAt)),
    );
    await comeDue(account.id);
    await ring(account.id);
    await expectConsistent(account.id);
    expect(await uploadRowIds(account.id)).toEqual([]);
  });

  it.each([
    "2020-01-01T00:00:00Z",
    "2100-01-01T00:00:00Z",
    "2028-02-30T00:00:00Z",
    "tomorrow",
    "2027-01-01",
    "2027-01-01T00:00:00",
  ])("`expiresAt` %j is 400 everywhere, and nothing changes", async (expiresAt) => {
    const account = await openAccount();
    const answers = [
      await upload(account.uploadKey, [picture], { expiresAt }),
      await create(account.uploadKey, { "Upload-Length": "5", "Upload-Metadata": metadata({ expiresAt }) }),
    ];
    for (const answer of answers)
      expect([answer.status, await answer.json()]).toMatchObject([400, { details: { expiresAt: expect.any(String) } }]);
    await expectNothingLeft(account.id);
    const id = await uploaded(account);
    expect((await patchImage(account.token, id, { expiresAt, favorite: true })).status).toBe(400);
    expect(await getImage(account.token, id)).toMatchObject({ expiresAt: null, favorite: false });
  });

  it.each(["0", "-1", "1.5", "soon", "999999999"])("`expiresIn` %j is 400", async (expiresIn) => {
    const { uploadKey } = await openAccount();
    const response = await upload(uploadKey, [picture], { expiresIn });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { details: { expiresIn: expect.any(String) } },
    ]);
  });

  it("A file in the trash expires, too, and beyond the month's operations", async () => {
    const account = await openAccount();
    const id = await uploaded(account, { expiresIn: "60" });
    await moveToTrash(account.token, [id]);
    await setUsedTenths(account.id, 100_000);
    await comeDue(account.id);
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([]);
  });

  it("Many files that expire at once are deleted fifty at a time, without a pause", async () => {
    const account = await openAccount();
    await uploadMany(
      account.token,
      Array.from({ length: 120 }, () => picture),
      { expiresIn: "60" },
    );
    await comeDue(account.id);
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toHaveLength(70);
    const alarm = await runInDurableObject(meterOf(account.id), (_, { storage }) => storage.getAlarm());
    expect((alarm ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(1000);
    for (let count = 0; count < 2; count++) await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([]);
    await expectConsistent(account.id);
  });

  it("A file that was deleted before leaves no expiry", async () => {
    const account = await openAccount();
    const id = await uploaded(account, { expiresIn: "60" });
    await deleteImage(account.token, id);
    expect(await expiriesOf(account.id)).toEqual([]);
    expect((await patchImage(account.token, id, { expiresAt: later() })).status).toBe(404);
  });

  it("A change during the deletion succeeds and keeps the file, or is 404", async () => {
    for (let round = 0; round < 4; round++) {
      const account = await openAccount();
      const id = await uploaded(account, { expiresIn: "60" });
      await comeDue(account.id);
      const [answer] = await Promise.all([patchImage(account.token, id, { expiresAt: later() }), ring(account.id)]);
      expect(await uploadRowIds(account.id)).toEqual(answer.status === 200 ? [id] : []);
      expect([200, 404]).toContain(answer.status);
      await expectConsistent(account.id);
    }
  });
});

describe("Failures", () => {
  it("A change that the library has lost is finished by the alarm, and the object keeps to it before", async () => {
    const account = await openAccount();
    const id = await uploaded(account);
    const expiresAt = later();
    await replaceStores(account.id, failingDatabases());
    // A matcher that is given a remote promise calls it again.
    const error = await meterOf(account.id)
      .setExpiry({ id, sizeBytes: 100 }, Date.parse(expiresAt))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    await restoreStores(account.id);
    expect(await expiriesOf(account.id)).toEqual([{ upload_id: id, at: Date.parse(expiresAt) }]);
    await replay(account.id);
    expect(await getImage(account.token, id)).toMatchObject({ expiresAt });
  });

  it("A late write of an older change is overwritten by the second pass", async () => {
    const account = await openAccount();
    const id = await uploaded(account);
    const expiresAt = later();
    await changeImage(account.token, id, { expiresAt });
    await recordExpiry(await libraryOf(account.id), { accountId: account.id, id }, 7);
    await replay(account.id);
    expect(await getImage(account.token, id)).toMatchObject({ expiresAt });
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it.each([
    ["equal", 0],
    ["different", 1000],
  ])("The last of two %s changes at the same time is in the row, and a second pass follows", async (_name, apartMs) => {
    const account = await openAccount();
    const id = await uploaded(account);
    const at = Date.parse(later());
    await Promise.all([0, apartMs].map((ms) => meterOf(account.id).setExpiry({ id, sizeBytes: 100 }, at + ms)));
    const [last] = await expiriesOf(account.id);
    expect(await getImage(account.token, id)).toMatchObject({ expiresAt: new Date(last?.at ?? 0).toISOString() });
    expect((await readMeter(account.id)).intents).toHaveLength(1);
    await recordExpiry(await libraryOf(account.id), { accountId: account.id, id }, 7);
    await replay(account.id);
    expect(await getImage(account.token, id)).toMatchObject({ expiresAt: new Date(last?.at ?? 0).toISOString() });
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("A library that does not answer puts expiries off for half a minute", async () => {
    const account = await openAccount();
    const id = await uploaded(account, { expiresIn: "60" });
    await comeDue(account.id);
    await replaceStores(account.id, failingDatabases());
    await ring(account.id);
    const alarm = await runInDurableObject(meterOf(account.id), (_, { storage }) => storage.getAlarm());
    expect((alarm ?? 0) - Date.now()).toBeGreaterThan(5000);
    await restoreStores(account.id);
    await comeDue(account.id);
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([]);
    expect(id).not.toBe("");
  });

  it("A deletion that a crash interrupts is finished", async () => {
    const account = await openAccount();
    await uploaded(account, { expiresIn: "60" });
    await comeDue(account.id);
    const broken = new Proxy(env.FILES, {
      get: (files, name) =>
        name === "delete"
          ? () => Promise.reject(new Error("R2 is out of order"))
          : Reflect.get(files, name).bind(files),
    });
    await replaceStores(account.id, { FILES: broken });
    await ring(account.id);
    await restoreStores(account.id);
    await replay(account.id);
    expect(await storedKeys(account.id)).toEqual([]);
    await expectConsistent(account.id);
  });

  it("Expiries of a suspended account wait until it may continue", async () => {
    const account = await openAccount();
    const id = await uploaded(account, { expiresIn: "60" });
    await meterOf(account.id).suspend({ reason: "test", servesFiles: true } as never);
    await comeDue(account.id);
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([id]);
    const alarm = await runInDurableObject(meterOf(account.id), (_, { storage }) => storage.getAlarm());
    expect(alarm === null || alarm > Date.now() + 1000).toBe(true);
    await meterOf(account.id).unsuspend();
    await ring(account.id);
    expect(await uploadRowIds(account.id)).toEqual([]);
  });

  it("A library that moved to another shard keeps its expiries", async () => {
    const account = await openAccount();
    const id = await uploaded(account, { expiresIn: "60" });
    await move(account.email, await otherShard(account.id));
    expect(await expiriesOf(account.id)).toHaveLength(1);
    await comeDue(account.id);
    await ring(account.id);
    expect([await uploadRowIds(account.id), id.length]).toEqual([[], 26]);
  });
});
