import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  expectConsistent,
  expectNothingLeft,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  replayTwice,
  restoreStores,
  storedKeys,
} from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { failingDatabases, failingStore, inLibraries } from "../../support/api/databases.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

/** An upload whose file is in R2, but which has no row in D1 yet. */
async function openPutUpload() {
  const account = await openAccount();
  const upload = new InterruptedUpload(account.id, "image");
  await upload.reserve();
  await upload.put();
  return { account, upload };
}

/** A request's clean-up of uploads that the meter reports missing. */
async function removeMissing(upload: InterruptedUpload, missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return;
  await inLibraries("DELETE FROM uploads WHERE id = ?", upload.uploadId);
  await env.FILES.delete(upload.objectKey);
}

describe("Settling", () => {
  it("An upload settled twice counts once, and gets the same answer", async () => {
    const { account, upload } = await openPutUpload();
    await upload.insertRow();
    expect((await upload.settle()).missing).toEqual([]);
    expect((await upload.settle()).missing).toEqual([]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 1000, usedTenths: 10 });
  });

  it("An upload that the alarm has kept settles as stored", async () => {
    const { account, upload } = await openPutUpload();
    await upload.insertRow();
    await replayIntents(account.id);
    expect((await upload.settle()).missing).toEqual([]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 1000, usedTenths: 10 });
    await expectConsistent(account.id);
  });

  it("An upload that the alarm undid settles as missing, and counts nothing", async () => {
    const { account, upload } = await openPutUpload();
    await replayIntents(account.id);
    await upload.insertRow();
    const { missing } = await upload.settle();
    expect(missing).toEqual([upload.uploadId]);
    await removeMissing(upload, missing);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
    await expectNothingLeft(account.id);
  });

  it("An upload that the alarm is undoing never settles as stored without its file", async () => {
    const { account, upload } = await openPutUpload();
    let settling: Promise<{ missing: string[] }> | undefined;
    // The request's row and its settling come after the alarm has looked for the row in D1, and before it deletes the file.
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        await upload.insertRow();
        settling = upload.settle();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await env.FILES.delete(keys);
      },
    });
    await replaceStores(account.id, { FILES: files });
    await replayIntents(account.id);
    const { missing } = (await settling) ?? { missing: [] };
    await restoreStores(account.id);
    await removeMissing(upload, missing);
    await expectConsistent(account.id);
  });

  it("An upload that renews its intent while the alarm undoes it settles as missing", async () => {
    const { account, upload } = await openPutUpload();
    let settling: Promise<{ missing: string[] }> | undefined;
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        await meterOf(account.id).renew([upload.uploadId]);
        await upload.insertRow();
        settling = upload.settle();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await env.FILES.delete(keys);
      },
    });
    await replaceStores(account.id, { FILES: files });
    await replayIntents(account.id);
    const { missing } = (await settling) ?? { missing: [] };
    expect(missing).toEqual([upload.uploadId]);
    await restoreStores(account.id);
    await removeMissing(upload, missing);
    await expectNothingLeft(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
  });

  it("An upload that renews its intent after a replay was interrupted settles as missing as well", async () => {
    const { account, upload } = await openPutUpload();
    // The due time in the object's tables at the moment of the crash, when the file is gone.
    let dueAt: number | undefined;
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        await env.FILES.delete(keys);
        dueAt = (await readMeter(account.id)).intents[0]?.due_at;
        throw new Error("The object is evicted");
      },
    });
    await replaceStores(account.id, { FILES: files });
    await replayIntents(account.id);
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE intents SET due_at = ?, attempts = 0", dueAt ?? null);
    });
    await restoreStores(account.id);
    await meterOf(account.id).renew([upload.uploadId]);
    await upload.insertRow();
    const { missing } = await upload.settle();
    expect(missing).toEqual([upload.uploadId]);
    await removeMissing(upload, missing);
    await expectNothingLeft(account.id);
  });

  it("An upload that renewed its intent since the alarm listed it is not undone", async () => {
    const account = await openAccount();
    const [first, second] = [new InterruptedUpload(account.id, "image"), new InterruptedUpload(account.id, "image")];
    for (const upload of [first, second]) {
      await upload.reserve();
      await upload.put();
    }
    await runInDurableObject(meterOf(account.id), async (_meter, { storage }) => {
      storage.sql.exec("UPDATE intents SET due_at = CASE id WHEN ? THEN 1 ELSE 2 END", `upload:${first.uploadId}`);
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        if (keys.includes(first.objectKey)) await meterOf(account.id).renew([second.uploadId]);
        await env.FILES.delete(keys);
      },
    });
    await replaceStores(account.id, { FILES: files });
    await runDurableObjectAlarm(meterOf(account.id));
    await restoreStores(account.id);
    expect(await storedKeys(account.id)).toEqual([second.objectKey]);
    await second.insertRow();
    expect((await second.settle()).missing).toEqual([]);
    await expectConsistent(account.id);
  });

  it("An upload that a replay undid in part never settles as stored without its file", async () => {
    const { account, upload } = await openPutUpload();
    // The object is gone when the replay breaks off.
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        await env.FILES.delete(keys);
        throw new Error("The connection broke");
      },
    });
    await replaceStores(account.id, { FILES: files });
    await replayIntents(account.id);
    await restoreStores(account.id);
    await upload.insertRow();
    const { missing } = await upload.settle();
    await removeMissing(upload, missing);
    await expectConsistent(account.id);
  });
});

describe("Failing replays", () => {
  it.each([
    ["D1", () => failingDatabases()],
    ["R2", () => ({ FILES: failingStore<R2Bucket>() })],
  ])("A failing replay (%s) keeps the intent and retries, later each time", async (_, stores) => {
    const { account, upload } = await openPutUpload();
    await replaceStores(account.id, stores());
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await replayIntents(account.id);
      const { intents } = await readMeter(account.id);
      expect(intents).toMatchObject([{ attempts: attempt, reserved_bytes: 1000 }]);
      delays.push((intents[0]?.due_at ?? 0) - Date.now());
      const alarm = await runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.getAlarm());
      expect(alarm).toBe(intents[0]?.due_at);
    }
    const [first = 0, second = 0, third = 0] = delays;
    expect(first).toBeGreaterThan(30_000);
    expect(second).toBeGreaterThan(1.5 * first);
    expect(third).toBeGreaterThan(1.5 * second);
    expect(await storedKeys(account.id)).toEqual([upload.objectKey]);
    await restoreStores(account.id);
    await replayTwice(account.id);
    await expectNothingLeft(account.id);
  });

  it("A failing replay of one upload does not delay the replay of others", async () => {
    const account = await openAccount();
    const [stuck, other] = [new InterruptedUpload(account.id, "image"), new InterruptedUpload(account.id, "image")];
    for (const upload of [stuck, other]) {
      await upload.reserve();
      await upload.put();
    }
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        if (keys.includes(stuck.objectKey)) throw new Error("Out of order");
        await env.FILES.delete(keys);
      },
    });
    await replaceStores(account.id, { FILES: files });
    await replayIntents(account.id);
    expect(await storedKeys(account.id)).toEqual([stuck.objectKey]);
    expect((await readMeter(account.id)).intents).toMatchObject([{ id: `upload:${stuck.uploadId}` }]);
    await restoreStores(account.id);
    await replayTwice(account.id);
    await expectNothingLeft(account.id);
  });

  it("A failing replay waits an hour at most", async () => {
    const account = await openAccount();
    await new InterruptedUpload(account.id, "image").reserve();
    await replaceStores(account.id, failingDatabases());
    await runInDurableObject(meterOf(account.id), async (_meter, { storage }) => {
      storage.sql.exec("UPDATE intents SET attempts = 2000, due_at = 1");
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    await runDurableObjectAlarm(meterOf(account.id));
    const [intent] = (await readMeter(account.id)).intents;
    expect(intent?.attempts).toBe(2001);
    expect((intent?.due_at ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((intent?.due_at ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
    await restoreStores(account.id);
  });
});
