import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { thumbnailKey } from "../../../src/domain/object-key.ts";
import { TIERS } from "../../../src/domain/tiers.ts";
import {
  expectConsistent,
  expectNothingLeft,
  expireIntents,
  leaveIntent,
  meterOf,
  readMeter,
  replaceStores,
  replayTwice,
  restoreStores,
  setUsedTenths,
  usageOf,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, type UploadResult, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, failingStore, inLibraries, replaceLibraries } from "../../support/api/databases.ts";
import { expectInvalid, moveToTrash, restore } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { takeDown } from "../../support/operator/as-operator.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

const KEPT_BYTES = 500;
const GONE_BYTES = 3000;

/** An account with two uploads, of which the second is to be deleted. */
async function openLibrary(): Promise<{ account: TestAccount; kept: UploadResult; doomed: UploadResult }> {
  const account = await openAccount();
  const kept = await uploadOne(account.token, { name: "kept.png", bytes: png(1, 1, KEPT_BYTES) });
  const doomed = await uploadOne(account.token, { name: "gone.mp4", bytes: mp4(GONE_BYTES) });
  await env.FILES.put(thumbnailKey(account.id, doomed._id), "a thumbnail");
  return { account, kept, doomed };
}

function deletion({ _id: uploadId, filename: objectKey, fileSize: sizeBytes }: UploadResult) {
  return { uploadId, objectKey, sizeBytes, keyId: null };
}

function remove(account: TestAccount, id: string): Promise<Response> {
  return call(`/images/${id}`, { method: "DELETE", headers: bearer(account.token) });
}

async function expectDeletedOnce(account: TestAccount, doomed: UploadResult): Promise<void> {
  const state = await readMeter(account.id);
  expect(state).toMatchObject({ storageBytes: KEPT_BYTES, usedTenths: 30 });
  expect(state.operations.filter(({ type }) => type === "delete")).toMatchObject([
    { class: "A", weight_tenths: 10, resource_id: doomed._id },
  ]);
  await expectConsistent(account.id);
  expect((await call(new URL(doomed.url).pathname)).status).toBe(404);
  expect(await env.FILES.head(thumbnailKey(account.id, doomed._id))).toBeNull();
}

describe("Interrupted deletes", () => {
  it.each([
    ["after it was announced", []],
    ["after its row is gone", ["row"]],
    ["after its file is gone", ["row", "file"]],
    ["after its thumbnail is gone", ["row", "file", "thumbnail"]],
  ])("A delete interrupted %s is finished, and counted once", async (_, done) => {
    const { account, doomed } = await openLibrary();
    await leaveIntent(account.id, { kind: "delete", ...deletion(doomed) });
    if (done.includes("row")) await inLibraries("DELETE FROM uploads WHERE id = ?", doomed._id);
    if (done.includes("file")) await env.FILES.delete(doomed.filename);
    if (done.includes("thumbnail")) await env.FILES.delete(thumbnailKey(account.id, doomed._id));
    await replayTwice(account.id);
    await expectDeletedOnce(account, doomed);
  });

  it("A delete settled before its lost answer succeeds on retry, even as the month's last operation", async () => {
    const { account, doomed } = await openLibrary();
    await setUsedTenths(account.id, TIERS.free.operationsPerMonth * 10 - 10);
    expect(await meterOf(account.id).deleteUpload(deletion(doomed))).toMatchObject({ outcome: "deleted" });
    expect(await meterOf(account.id).deleteUpload(deletion(doomed))).toMatchObject({ outcome: "gone" });
  });

  it("A delete settled before its lost answer is 404 when repeated", async () => {
    const { account, doomed } = await openLibrary();
    expect(await meterOf(account.id).deleteUpload(deletion(doomed))).toMatchObject({ outcome: "deleted" });
    await replayTwice(account.id);
    expect((await remove(account, doomed._id)).status).toBe(404);
    await expectDeletedOnce(account, doomed);
  });

  it.each([
    ["D1", () => failingDatabases()],
    ["R2", () => ({ FILES: failingStore<R2Bucket>() })],
  ])("A delete interrupted by an outage of %s is 503, and is finished later", async (_, stores) => {
    const { account, doomed } = await openLibrary();
    await replaceStores(account.id, stores());
    const response = await remove(account, doomed._id);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ statusCode: 503, details: { retryAfter: expect.any(Number) } });
    expect((await readMeter(account.id)).intents).toMatchObject([{ id: `delete:${doomed._id}` }]);
    await restoreStores(account.id);
    await replayTwice(account.id);
    await expectDeletedOnce(account, doomed);
  });

  it("A delete interrupted by an outage is finished at once if the client retries", async () => {
    const { account, doomed } = await openLibrary();
    await replaceStores(account.id, failingDatabases());
    expect((await remove(account, doomed._id)).status).toBe(503);
    await restoreStores(account.id);
    const response = await remove(account, doomed._id);
    expect(response.status).toBe(200);
    expect(usageOf(response)).toEqual({ storage: KEPT_BYTES, operations: 3 });
    await replayTwice(account.id);
    await expectDeletedOnce(account, doomed);
  });
});

describe("Simultaneous deletes", () => {
  it.each([2, 8])(
    "Deletes of the same upload (%d at once) succeed once, free storage once and count once",
    async (count) => {
      const { account, doomed } = await openLibrary();
      const responses = await Promise.all(Array.from({ length: count }, () => remove(account, doomed._id)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(count - 1).fill(404)]);
      await replayTwice(account.id);
      await expectDeletedOnce(account, doomed);
    },
  );

  it("Two deletes that both read the upload before succeed once as well", async () => {
    const { account, doomed } = await openLibrary();
    const meter = meterOf(account.id);
    const racing = await Promise.all([1, 2, 3].map(() => meter.deleteUpload(deletion(doomed))));
    const late = await meter.deleteUpload(deletion(doomed));
    expect([...racing, late].map(({ outcome }) => outcome).sort()).toEqual(["deleted", "gone", "gone", "gone"]);
    await replayTwice(account.id);
    await expectDeletedOnce(account, doomed);
  });
});

describe("Deletes that are only for the trash", () => {
  const conditional = (upload: UploadResult) => ({ ...deletion(upload), onlyFrom: "trash" as const });

  /** Runs `before` once, when the account's object sends the deletion of a row. */
  function beforeRowIsDeleted(before: (statement: D1PreparedStatement) => Promise<void>): Partial<Env> {
    let isDone = false;
    return replaceLibraries(
      (real) =>
        new Proxy(real, {
          get: (database, name) => {
            if (name !== "prepare") return Reflect.get(database, name).bind(database);
            return (query: string) => watched(database.prepare(query), /^delete from "uploads"/.test(query));
          },
        }),
    );
    function watched(statement: D1PreparedStatement, isDeletion: boolean): D1PreparedStatement {
      if (!isDeletion) return statement;
      return new Proxy(statement, {
        get: (real, name) => {
          if (name === "bind") return (...values: unknown[]) => watched(real.bind(...values), true);
          if (name !== "run" || isDone) return Reflect.get(real, name).bind(real);
          return async () => {
            isDone = true;
            await before(real);
            return real.run();
          };
        },
      });
    }
  }

  async function expectKept(account: TestAccount, upload: UploadResult): Promise<void> {
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: KEPT_BYTES + GONE_BYTES, usedTenths: 20 });
    expect((await readMeter(account.id)).intents).toEqual([]);
    expect((await call(new URL(upload.url).pathname)).status).toBe(200);
    const thumbnail = thumbnailKey(account.id, upload._id);
    expect(await env.FILES.head(thumbnail)).not.toBeNull();
    await env.FILES.delete(thumbnail);
    await expectConsistent(account.id);
    await env.FILES.put(thumbnail, "a thumbnail");
  }

  it("`DELETE /images/:id?onlyFrom=trash` is 409 for an active upload, and deletes a trashed one", async () => {
    const { account, doomed } = await openLibrary();
    const only = (query: string) =>
      call(`/images/${doomed._id}?onlyFrom=${query}`, { method: "DELETE", headers: bearer(account.token) });
    const kept = await only("trash");
    expect([kept.status, await kept.json()]).toEqual([
      409,
      { error: "The file is not in the trash", code: "image_not_in_trash", statusCode: 409 },
    ]);
    await expectInvalid(await only("active"), "onlyFrom");
    await expectKept(account, doomed);
    await moveToTrash(account.token, [doomed._id]);
    expect((await only("trash")).status).toBe(200);
    await expectDeletedOnce(account, doomed);
    expect((await only("trash")).status).toBe(404);
  });

  it("A file that is restored when its row is about to be deleted is kept", async () => {
    const { account, doomed } = await openLibrary();
    await moveToTrash(account.token, [doomed._id]);
    await replaceStores(
      account.id,
      beforeRowIsDeleted(async () => {
        expect(await restore(account.token, [doomed._id])).toBe(1);
      }),
    );
    expect(await meterOf(account.id).deleteUploads([conditional(doomed)])).toMatchObject([{ outcome: "kept" }]);
    await restoreStores(account.id);
    await expectKept(account, doomed);
  });

  it("A file that is restored and trashed again when its row is about to be deleted is deleted", async () => {
    const { account, doomed } = await openLibrary();
    await moveToTrash(account.token, [doomed._id]);
    await replaceStores(
      account.id,
      beforeRowIsDeleted(async () => {
        await restore(account.token, [doomed._id]);
        await moveToTrash(account.token, [doomed._id]);
      }),
    );
    expect(await meterOf(account.id).deleteUpload(conditional(doomed))).toMatchObject({ outcome: "deleted" });
    await restoreStores(account.id);
    await expectDeletedOnce(account, doomed);
  });

  it("A deletion of a row that arrives late deletes no file that was restored and trashed again since", async () => {
    const { account, doomed } = await openLibrary();
    await moveToTrash(account.token, [doomed._id]);
    let late: D1PreparedStatement | undefined;
    await replaceStores(
      account.id,
      beforeRowIsDeleted(async (statement) => {
        late = statement;
        throw new Error("the object died here");
      }),
    );
    expect(await meterOf(account.id).deleteUploads([conditional(doomed)])).toEqual([{ outcome: "unfinished" }]);
    await restoreStores(account.id);
    await restore(account.token, [doomed._id]);
    await replayTwice(account.id);
    await moveToTrash(account.token, [doomed._id]);
    expect((await late?.run())?.meta.changes).toBe(0);
    await expectKept(account, doomed);
  });

  it.each([
    ["restored since is kept", true],
    ["still in the trash is finished", false],
  ])("An interrupted deletion of a file that is %s", async (_, isRestored) => {
    const { account, doomed } = await openLibrary();
    await moveToTrash(account.token, [doomed._id]);
    await leaveIntent(account.id, { kind: "delete", ...conditional(doomed) });
    if (isRestored) expect(await restore(account.token, [doomed._id])).toBe(1);
    await replayTwice(account.id);
    if (isRestored) await expectKept(account, doomed);
    else await expectDeletedOnce(account, doomed);
  });

  it("A restoration of a file whose row is deleted changes nothing, and the deletion is finished", async () => {
    const { account, doomed } = await openLibrary();
    await moveToTrash(account.token, [doomed._id]);
    await leaveIntent(account.id, { kind: "delete", ...conditional(doomed) });
    await inLibraries("DELETE FROM uploads WHERE id = ?", doomed._id);
    expect(await restore(account.token, [doomed._id])).toBe(0);
    await replayTwice(account.id);
    await expectDeletedOnce(account, doomed);
  });

  it("An unconditional deletion replaces an unfinished deletion that is only for the trash, in either order", async () => {
    const { account, doomed } = await openLibrary();
    await leaveIntent(account.id, { kind: "delete", ...conditional(doomed) });
    expect((await remove(account, doomed._id)).status).toBe(200);
    await expectDeletedOnce(account, doomed);
    const next = await openLibrary();
    await leaveIntent(next.account.id, { kind: "delete", ...deletion(next.doomed) });
    expect(await meterOf(next.account.id).deleteUpload(conditional(next.doomed))).toMatchObject({ outcome: "deleted" });
    await expectDeletedOnce(next.account, next.doomed);
  });

  it("A taken-down file gets its bytes back while an unfinished deletion that is only for the trash keeps it", async () => {
    const { account, doomed } = await openLibrary();
    await takeDown({ url: doomed.url });
    await replayTwice(account.id);
    const [takedown] = await runInDurableObject(meterOf(account.id), (_, { storage }) =>
      storage.sql.exec<{ payload: string }>("SELECT payload FROM takedowns").toArray(),
    );
    await leaveIntent(account.id, { kind: "delete", ...conditional(doomed) });
    await leaveIntent(account.id, { kind: "restore-file", takedown: JSON.parse(takedown?.payload ?? "") });
    await runInDurableObject(meterOf(account.id), (_, { storage }) => {
      // The restoration is carried out first.
      storage.sql.exec(
        "UPDATE intents SET due_at = iif(kind = 'delete', 2, 1) WHERE kind IN ('delete', 'restore-file')",
      );
    });
    await runDurableObjectAlarm(meterOf(account.id));
    const served = await call(new URL(doomed.url).pathname);
    expect([served.status, (await served.arrayBuffer()).byteLength]).toEqual([200, GONE_BYTES]);
  });
});

describe("Deletes of unsettled uploads", () => {
  it("A delete of an unsettled upload counts both and leaves nothing, in either order", async () => {
    const account = await openAccount();
    const upload = new InterruptedUpload(account.id, "image");
    await upload.reserve();
    await upload.put();
    await upload.insertRow();
    expect((await remove(account, upload.uploadId)).status).toBe(200);
    await upload.settle();
    await replayTwice(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 20 });
    await expectNothingLeft(account.id);
  });

  it.each([
    ["had been undone meanwhile", replayTwice],
    ["is half undone, its file gone", expireIntents],
  ])("A delete of an unsettled upload frees nothing if the upload %s", async (_, undo) => {
    const account = await openAccount();
    const kept = await uploadOne(account.token, { name: "kept.png", bytes: png(1, 1, KEPT_BYTES) });
    const upload = new InterruptedUpload(account.id, "image");
    await upload.reserve();
    await upload.insertRow();
    await undo(account.id);
    expect((await remove(account, upload.uploadId)).status).toBe(404);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: KEPT_BYTES, usedTenths: 10 });
    expect((await call(new URL(kept.url).pathname)).status).toBe(200);
    await expectConsistent(account.id);
  });
});
