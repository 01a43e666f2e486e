import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  expectNothingLeft,
  expireIntents,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  restoreStores,
  setStorageBytes,
} from "../../support/api/account-state.ts";
import { callJson, openAccount } from "../../support/api/api.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

const GB = 1024 ** 3;

async function reservedBytes(accountId: string): Promise<number[]> {
  return (await readMeter(accountId)).intents.map(({ reserved_bytes }) => reserved_bytes);
}

/** An upload in progress with 1,000 reserved bytes, in an account that has this much more free storage. */
async function reserveWithRoom(freeBytes: number) {
  const account = await openAccount();
  await setStorageBytes(account.id, GB - 1000 - freeBytes);
  const upload = new InterruptedUpload(account.id, "image");
  expect(await upload.reserve()).toMatchObject({ outcome: "reserved", reservedBytes: 1000 });
  return { account, upload, meter: meterOf(account.id) };
}

describe("Growing a reservation", () => {
  it("A grown reservation has exactly the wanted total if there is room", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    expect(await meter.grow(upload.uploadId, 2000, 5000)).toEqual({ outcome: "grown", reservedBytes: 5000 });
    expect(await reservedBytes(account.id)).toEqual([5000]);
    const other = new InterruptedUpload(account.id, "image");
    expect(await other.reserve()).toMatchObject({ outcome: "storage-full" });
  });

  it("A grown reservation has all free storage if that is less than wanted and at least the minimum", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    expect(await meter.grow(upload.uploadId, 5000, 9000)).toEqual({ outcome: "grown", reservedBytes: 5000 });
    expect(await reservedBytes(account.id)).toEqual([5000]);
  });

  it("A reservation stays unchanged if less than the minimum is free", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    expect(await meter.grow(upload.uploadId, 5001, 9000)).toMatchObject({
      outcome: "storage-full",
      figures: { storageUsedBytes: GB - 5000, storageLimitBytes: GB },
    });
    expect(await reservedBytes(account.id)).toEqual([1000]);
  });

  it("A grown reservation leaves other uploads their reservations", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    const other = new InterruptedUpload(account.id, "image", 3000);
    expect(await other.reserve()).toMatchObject({ outcome: "reserved" });
    expect(await meter.grow(upload.uploadId, 2001, 5000)).toMatchObject({ outcome: "storage-full" });
    expect(await meter.grow(upload.uploadId, 2000, 5000)).toEqual({ outcome: "grown", reservedBytes: 2000 });
  });

  it("A reservation is never lowered, not even by a smaller tier", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    expect(await meter.grow(upload.uploadId, 1, 500)).toEqual({ outcome: "grown", reservedBytes: 1000 });
    await setStorageBytes(account.id, 9 * GB);
    expect(await meter.grow(upload.uploadId, 1000, 5000)).toEqual({ outcome: "grown", reservedBytes: 1000 });
    expect(await meter.grow(upload.uploadId, 1001, 5000)).toMatchObject({ outcome: "storage-full" });
    expect(await reservedBytes(account.id)).toEqual([1000]);
  });

  it.each([
    ["where it grows", 2000],
    ["where the storage is full", 2 * GB],
  ])("A grown reservation delays the replay (%s)", async (_, minimumBytes) => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    const before = (await readMeter(account.id)).intents[0]?.due_at ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await meter.grow(upload.uploadId, minimumBytes, minimumBytes);
    expect((await readMeter(account.id)).intents[0]?.due_at).toBeGreaterThanOrEqual(before + 20);
  });

  it("A grown reservation of an overdue upload stays until an alarm has replayed it", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    await expireIntents(account.id);
    expect(await meter.grow(upload.uploadId, 1, 2000)).toEqual({ outcome: "grown", reservedBytes: 2000 });
    await runDurableObjectAlarm(meter);
    expect(await reservedBytes(account.id)).toEqual([2000]);
  });

  it("A grown reservation settles at the upload's real size", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    await meter.grow(upload.uploadId, 5000, 5000);
    await upload.put();
    await upload.insertRow();
    expect((await upload.settle()).missing).toEqual([]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: GB - 4000, intents: [] });
  });
});

describe("Growing an upload that no longer exists", () => {
  it("Growing is refused for an unknown upload, a released upload and an unknown account", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    expect(await meter.grow("unknown", 1, 1)).toEqual({ outcome: "gone" });
    await meter.release([upload.uploadId]);
    expect(await meter.grow(upload.uploadId, 1, 1)).toEqual({ outcome: "gone" });
    expect(await reservedBytes(account.id)).toEqual([]);
    expect(await meterOf("01hzy3v7k9q4r5s6t7v8w9x0yb").grow("a", 1, 1)).toEqual({ outcome: "gone" });
  });

  it("Growing is refused for an upload that the alarm has undone or is undoing", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    await upload.put();
    let growing: Promise<unknown> | undefined;
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        growing = meterOf(account.id).grow(upload.uploadId, 1, 5000);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await env.FILES.delete(keys);
      },
    });
    await replaceStores(account.id, { FILES: files });
    await replayIntents(account.id);
    expect(await growing).toEqual({ outcome: "gone" });
    await restoreStores(account.id);
    expect(await meter.grow(upload.uploadId, 1, 1)).toEqual({ outcome: "gone" });
    await expectNothingLeft(account.id);
  });

  it("Growing is refused during and after the account's erasure", async () => {
    const { account, upload, meter } = await reserveWithRoom(4000);
    const { password } = account;
    expect((await callJson("DELETE", "/account", account.token, { password })).status).toBe(202);
    expect(await meter.grow(upload.uploadId, 1, 1)).toEqual({ outcome: "refused" });
    await replayIntents(account.id);
    await replayIntents(account.id);
    expect(await meter.erasure()).toMatchObject({ outcome: "erased" });
    expect((await readMeter(account.id)).intents).toEqual([]);
    expect(await meter.grow(upload.uploadId, 1, 1)).toEqual({ outcome: "refused" });
  });
});
