import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { UploadStored } from "../../../src/domain/queue-messages.ts";
import {
  expectConsistent,
  expectNothingLeft,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  replayTwice,
  storedKeys,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, uploadOne } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

type Step = (upload: InterruptedUpload) => Promise<unknown>;
const reserve: Step = (upload) => upload.reserve();
const put: Step = (upload) => upload.put();
const begin: Step = (upload) => upload.beginMultipart();
const announce: Step = (upload) => upload.announceMultipart();
const part: Step = (upload) => upload.uploadPart();
const complete: Step = (upload) => upload.completeMultipart();
const row: Step = (upload) => upload.insertRow();
const settle: Step = (upload) => upload.settle();
const result: Step = (upload) => upload.putResult();
const drop: Step = (upload) => upload.deleteOriginal();
const resultRow: Step = (upload) => upload.insertRow(upload.resultKey);

const PART_BYTES = 8 * 1024 * 1024;

async function interrupt(
  accountId: string,
  steps: readonly Step[],
  type: "image" | "video" | "gif",
  sizeBytes: number,
) {
  const upload = new InterruptedUpload(accountId, type, sizeBytes);
  for (const step of steps) await step(upload);
  return upload;
}

describe("Interrupted uploads", () => {
  it.each([
    ["after reserving", [reserve], 1000],
    ["after the put", [reserve, put], 1000],
    ["after reserving for a large file", [reserve], PART_BYTES],
    ["after beginning a multipart upload", [reserve, begin, announce], PART_BYTES],
    ["after a part", [reserve, begin, announce, part], PART_BYTES],
    ["after completing the multipart upload", [reserve, begin, announce, complete], PART_BYTES],
  ] as const)("An upload interrupted %s is undone, once its time has run out", async (_, steps, sizeBytes) => {
    const account = await openAccount();
    const upload = await interrupt(account.id, steps, "image", sizeBytes);
    expect((await readMeter(account.id)).intents).toMatchObject([{ reserved_bytes: sizeBytes }]);
    const state = await replayTwice(account.id);
    expect(state).toMatchObject({ storageBytes: 0, usedTenths: 0, operations: [] });
    await expectNothingLeft(account.id);
    if (steps.some((step) => step === begin)) expect(await upload.hasOpenMultipart()).toBe(false);
  });

  it.each([
    ["after its row", [reserve, put, row], 1000],
    ["after the row of a large file", [reserve, begin, announce, complete, row], PART_BYTES],
    ["after settling, before the answer", [reserve, put, row, settle], 1000],
  ] as const)("An upload interrupted %s is kept, and counted once", async (_, steps, sizeBytes) => {
    const account = await openAccount();
    const upload = await interrupt(account.id, steps, "image", sizeBytes);
    const state = await replayTwice(account.id);
    expect(state).toMatchObject({ storageBytes: sizeBytes, usedTenths: 10 });
    expect(state.operations).toMatchObject([{ type: "upload", class: "A", resource_id: upload.uploadId }]);
    await expectConsistent(account.id);
    expect(await storedKeys(account.id)).toEqual([upload.objectKey]);
  });

  it.each([
    ["before its original is complete", [reserve, begin, announce, part]],
    ["before its compressed form is stored", [reserve, begin, announce, complete]],
    ["after its compressed form is stored", [reserve, begin, announce, complete, result]],
    ["after its original is deleted", [reserve, begin, announce, complete, result, drop]],
  ] as const)("An upload interrupted in compression (%s) is undone under both of its keys", async (_, steps) => {
    const account = await openAccount();
    await interrupt(account.id, steps, "gif", PART_BYTES);
    expect(await replayTwice(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0, operations: [] });
    await expectNothingLeft(account.id);
  });

  it.each([
    ["as its compressed form", [reserve, begin, announce, complete, result, drop, resultRow], true],
    ["as its compressed form, beside its original", [reserve, begin, announce, complete, result, resultRow], true],
    ["as its original", [reserve, begin, announce, complete, row], false],
    ["as its original, beside its compressed form", [reserve, begin, announce, complete, result, row], false],
  ] as const)(
    "An upload interrupted when its row names it %s keeps that one object",
    async (_, steps, isCompressed) => {
      const account = await openAccount();
      const upload = await interrupt(account.id, steps, "gif", PART_BYTES);
      expect(await replayTwice(account.id)).toMatchObject({ storageBytes: PART_BYTES, usedTenths: 10 });
      expect(await storedKeys(account.id)).toEqual([isCompressed ? upload.resultKey : upload.objectKey]);
      await expectConsistent(account.id);
    },
  );

  it("An interrupted video with a row has its message sent, as the crash may have prevented it", async () => {
    const account = await openAccount();
    const upload = await interrupt(account.id, [reserve, put, row], "video", 1000);
    const sent: UploadStored[] = [];
    const queue = { send: async (message: UploadStored) => void sent.push(message) };
    await replaceStores(account.id, { UPLOADS: queue as unknown as Queue<UploadStored> });
    await replayTwice(account.id);
    const { uploadId, objectKey } = upload;
    const mimeType = "video/mp4";
    expect(sent).toEqual([{ type: "upload.stored", accountId: account.id, uploadId, objectKey, mimeType }]);
  });

  it("An interrupted upload releases its reserved storage", async () => {
    const account = await openAccount();
    const limit = 1024 ** 3;
    const intent = (uploadId: string) => ({ kind: "upload", uploadId, objectKey: uploadId, keyId: null }) as const;
    await meterOf(account.id).reserve(intent("a"), limit, limit);
    expect(await meterOf(account.id).reserve(intent("b"), 1, 1)).toMatchObject({ outcome: "storage-full" });
    await replayIntents(account.id);
    expect(await meterOf(account.id).reserve(intent("b"), limit, limit)).toMatchObject({ outcome: "reserved" });
  });

  it("An interrupted upload does not affect the account's other uploads", async () => {
    const account = await openAccount();
    const kept = await uploadOne(account.uploadKey, { name: "kept.png", bytes: png(1, 1, 500) });
    await interrupt(account.id, [reserve, put], "image", 1000);
    await interrupt(account.id, [reserve, begin, announce, part], "video", PART_BYTES);
    expect(await replayTwice(account.id)).toMatchObject({ storageBytes: 500, usedTenths: 10 });
    expect(await storedKeys(account.id)).toEqual([kept.filename]);
    await expectConsistent(account.id);
  });

  it("Many interrupted uploads are all undone", async () => {
    const account = await openAccount();
    const steps = [[reserve], [reserve, put], [reserve, put, row]];
    for (let i = 0; i < 60; i++) await interrupt(account.id, steps[i % 3] ?? [], "image", 100);
    await replayIntents(account.id);
    // An alarm replays a bounded number of them, and sets the next one.
    while (await runDurableObjectAlarm(meterOf(account.id))) {
      if ((await readMeter(account.id)).intents.length === 0) break;
    }
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 2000, usedTenths: 200 });
    await expectConsistent(account.id);
  });
});

describe("Uploads in progress", () => {
  it("An upload in progress is not affected by an alarm before its time has run out", async () => {
    const account = await openAccount();
    const upload = await interrupt(account.id, [reserve, put], "image", 1000);
    await runDurableObjectAlarm(meterOf(account.id));
    expect((await readMeter(account.id)).intents).toHaveLength(1);
    expect(await storedKeys(account.id)).toEqual([upload.objectKey]);
    await upload.insertRow();
    expect(await upload.settle()).toMatchObject({ missing: [] });
    await expectConsistent(account.id);
  });

  it("An upload in progress has an alarm at its due time, and renewals postpone it", async () => {
    const account = await openAccount();
    const upload = await interrupt(account.id, [reserve], "image", 1000);
    const alarm = () => runInDurableObject(meterOf(account.id), (_instance, { storage }) => storage.getAlarm());
    const timeoutMs = Number(env.INTENT_TIMEOUT_SECONDS) * 1000;
    const [{ due_at: dueAt } = { due_at: 0 }] = (await readMeter(account.id)).intents;
    expect(Math.abs(dueAt - Date.now() - timeoutMs)).toBeLessThan(5000);
    expect(await alarm()).toBeLessThanOrEqual(dueAt);
    // An object that remembers the reservation stores no row for the first signal.
    await evictDurableObject(meterOf(account.id));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await meterOf(account.id).renew([upload.uploadId]);
    expect((await readMeter(account.id)).intents[0]?.due_at).toBeGreaterThan(dueAt);
  });
});

it("An answered upload of any kind has no open intent", async () => {
  const account = await openAccount();
  await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
  await uploadOne(account.uploadKey, { name: "a.mp4", bytes: mp4(9_000_000) });
  const before = await readMeter(account.id);
  expect(before.intents).toEqual([]);
  expect(await replayTwice(account.id)).toEqual(before);
  await expectConsistent(account.id);
  const response = await call("/images", { headers: bearer(account.token) });
  expect(await response.json()).toMatchObject({ pagination: { total: 2 } });
});
