import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { thumbnailKey } from "../../../src/domain/object-key.ts";
import {
  expectConsistent,
  expectNothingLeft,
  meterOf,
  readMeter,
  replayIntents,
  restoreStores,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, uploadOne } from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

/** Undoes an upload as a failed request does. */
async function undo(upload: InterruptedUpload): Promise<void> {
  await inLibraries("DELETE FROM uploads WHERE id = ?", upload.uploadId);
  await env.FILES.delete(upload.objectKey);
}

/** An upload whose request was slow, so that the alarm came first and found the upload complete. */
async function keptByAlarm(type: "image" | "video" = "image") {
  const account = await openAccount();
  await uploadOne(account.token, { name: "other.png", bytes: png(1, 1, 700) });
  const upload = new InterruptedUpload(account.id, type);
  await upload.reserve();
  await upload.put();
  await upload.insertRow();
  await replayIntents(account.id);
  expect(await readMeter(account.id)).toMatchObject({ storageBytes: 1700, usedTenths: 20, intents: [] });
  return { account, upload, meter: meterOf(account.id) };
}

describe("Upload undone by its request after the alarm had kept it", () => {
  it("An undone upload frees its bytes and takes back its operation, once", async () => {
    const { account, upload, meter } = await keptByAlarm();
    await undo(upload);
    await meter.release([upload.uploadId]);
    await meter.release([upload.uploadId, upload.uploadId]);
    const { operations, ...figures } = await readMeter(account.id);
    expect(figures).toMatchObject({ storageBytes: 700, usedTenths: 10 });
    expect(operations.map(({ resource_id }) => resource_id)).not.toContain(upload.uploadId);
    await expectConsistent(account.id);
    expect((await upload.settle()).missing).toEqual([upload.uploadId]);
  });

  it("An undone upload does not change a month that began since", async () => {
    const { account, upload, meter } = await keptByAlarm();
    await runInDurableObject(meter, (_meter, { storage }) => {
      storage.sql.exec("UPDATE class_a_operations SET at = at - ?", 40 * 86_400_000);
      storage.sql.exec("UPDATE account SET period_ends_at = ?", Date.now() - 1);
    });
    await restoreStores(account.id);
    await undo(upload);
    await uploadOne(account.token, { name: "new.png", bytes: png(1, 1, 300) });
    await meterOf(account.id).release([upload.uploadId]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 1000, usedTenths: 10 });
  });

  it("An undone upload takes its thumbnail with it", async () => {
    const { account, upload, meter } = await keptByAlarm("video");
    const key = thumbnailKey(account.id, upload.uploadId);
    await env.FILES.put(key, new Uint8Array(123));
    expect(await meter.settleThumbnail(upload.uploadId)).toBe("counted");
    expect((await readMeter(account.id)).storageBytes).toBe(1823);
    await undo(upload);
    await meter.release([upload.uploadId]);
    expect(await env.FILES.head(key)).toBeNull();
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 700, usedTenths: 10 });
    await expectConsistent(account.id);
  });

  it("An undone upload that its owner deleted before frees nothing twice", async () => {
    const { account, upload, meter } = await keptByAlarm();
    const path = `/images/${upload.uploadId}`;
    expect((await call(path, { method: "DELETE", headers: bearer(account.token) })).status).toBe(200);
    await meter.release([upload.uploadId]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 700, usedTenths: 30 });
    await expectConsistent(account.id);
  });
});

describe("Release", () => {
  it("The release of an unsettled upload frees its reservation, and counts nothing", async () => {
    const account = await openAccount();
    const upload = new InterruptedUpload(account.id, "image");
    await upload.reserve();
    await meterOf(account.id).release([upload.uploadId, "never announced"]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0, operations: [] });
    await expectNothingLeft(account.id);
  });

  it("The release for an unknown account changes nothing", async () => {
    const id = "01hzy3v7k9q4r5s6t7v8w9x0yc";
    await meterOf(id).release(["a"]);
    expect(await readMeter(id)).toMatchObject({ storageBytes: 0, intents: [], operations: [] });
  });
});
