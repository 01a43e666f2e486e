import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../src/domain/ids.ts";
import { previewKey, thumbnailKey } from "../../../src/domain/object-key.ts";
import { quarantineKey } from "../../../src/domain/takedown.ts";
import { startNightly } from "../../../src/jobs/start-nightly.ts";
import { forgetBlockList } from "../../../src/services/uploads/known-bytes.ts";
import {
  expectNothingLeft,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  restoreStores,
  usageOf,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, upload, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, failingStore, libraryOf } from "../../support/api/databases.ts";
import { newPhoto } from "../../support/library/removals.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { asOperator, takeDown } from "../../support/operator/as-operator.ts";
import { reconcile } from "../../support/reconcile/reconcile.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { made, thumbnailJpeg } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";
import { begin, patch } from "../../support/uploads/tus.ts";

const TAKEN_DOWN = { error: "This file was taken down", statusCode: 451, code: "taken_down" };
const BLOCKED = { error: "The operator has blocked this file's content", statusCode: 415, code: "content_blocked" };

/** Bytes that no other test uploads: a block is for all accounts. */
let size = 5000;
function newPng(): Uint8Array<ArrayBuffer> {
  size += 1;
  return png(3, 2, size);
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

async function expectTakenDown(url: string): Promise<void> {
  const response = await call(pathOf(url));
  expect([response.status, await response.json()]).toEqual([451, TAKEN_DOWN]);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
}

async function find(token: string, id: string) {
  const response = await call(`/images/${id}`, { headers: bearer(token) });
  return response.json<{ takedown?: { at: string; reason: string }; previewUrl?: string; thumbnail: string | null }>();
}

/** The minute of the isolate's own copy has passed. */
beforeEach(forgetBlockList);

describe("A taken-down file", () => {
  it("A taken-down file answers 451 at once, with and without a range, and its owner sees why", async () => {
    const { token } = await openAccount();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes: newPng() });
    const etag = (await call(pathOf(url))).headers.get("ETag") ?? "";
    const takedown = await takeDown({ url });
    expect(takedown).toMatchObject({ uploadId: _id, state: "kept" });
    await expectTakenDown(url);
    for (const header of [
      ["Range", "bytes=0-1"],
      ["Range", "bytes=-5"],
      ["If-None-Match", etag],
      ["If-None-Match", "*"],
    ] as [string, string][]) {
      expect((await call(pathOf(url), { headers: [header] })).status).toBe(451);
    }
    const head = await call(pathOf(url), { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([451, ""]);
    expect((await find(token, _id)).takedown).toEqual({ at: expect.any(String), reason: "Copyright" });
    const { images } = await (await call("/images", { headers: bearer(token) })).json<{ images: object[] }>();
    expect(images).toMatchObject([{ _id, takedown: { reason: "Copyright" } }]);
  });

  it("A preview and a thumbnail of a taken-down file answer 451, also those made afterwards", async () => {
    const { id, token } = await openProAccount();
    const photo = await uploadOne(token, { name: "photo.jpg", bytes: newPhoto() });
    const { previewUrl = "" } = await find(token, photo._id);
    const preview = new URL(previewUrl);
    expect((await call(preview.pathname + preview.search)).status).toBe(200);
    await takeDown({ id: photo._id });
    expect((await call(preview.pathname + preview.search)).status).toBe(451);
    expect(await env.FILES.head(previewKey(id, photo._id))).toBeNull();

    const video = await uploadOne(token, { name: "a.mp4", bytes: mp4(5000 + size) });
    await takeDown({ id: video._id });
    await deliverOne(stored(toVideo({ id }, video)), { processor: () => made() });
    await expectTakenDown(video.thumbnailUrl ?? "");
    await env.FILES.put(thumbnailKey(id, video._id), thumbnailJpeg());
    await meterOf(id).settleThumbnail(video._id);
    await expectTakenDown(video.thumbnailUrl ?? "");
  });

  it("A taken-down file is found by its id or URL; another file is 404", async () => {
    const { token } = await openAccount();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes: newPng() });
    const first = await takeDown({ id: _id });
    expect(await takeDown({ url, reason: "Once more" })).toMatchObject({ id: first.id });
    for (const order of [{ id: "01arz3ndektsv4rrffq69g5fav" }, { url: "https://example.com/a.png" }, { id: "x" }]) {
      expect((await asOperator("POST", "takedowns", { reason: "a", ...order })).status).toBe(404);
    }
    expect((await asOperator("POST", "takedowns", { reason: "a" })).status).toBe(400);
    expect((await asOperator("POST", "takedowns", { reason: "a", id: _id, url })).status).toBe(400);
    const { takedowns } = await (await asOperator("GET", "takedowns")).json<{ takedowns: object[] }>();
    expect(takedowns).toContainEqual(expect.objectContaining({ id: first.id, uploadId: _id, state: "kept" }));
  });

  it("A late write of the upload's request does not bring a taken-down file back", async () => {
    const { id, token } = await openAccount();
    const bytes = newPng();
    const { url, filename } = await uploadOne(token, { name: "a.png", bytes });
    await takeDown({ url });
    await env.FILES.put(filename, bytes, { httpMetadata: { contentType: "image/png" } });
    await replayIntents(id);
    await expectTakenDown(url);
    expect((await readMeter(id)).intents).toEqual([]);
  });

  it("A takedown that a failing database interrupts is finished by the alarm, and the file answers 451 before", async () => {
    const { id, token } = await openAccount();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes: newPng() });
    await meterOf(id).read();
    await replaceStores(id, { DB: failingStore<D1Database>() });
    const failed = await asOperator("POST", "takedowns", { id: _id, reason: "Copyright" });
    expect(failed.status).toBe(503);
    await expectTakenDown(url);
    await restoreStores(id);
    await replayIntents(id);
    const { takedowns } = await (await asOperator("GET", "takedowns")).json<{ takedowns: object[] }>();
    expect(takedowns).toContainEqual(expect.objectContaining({ uploadId: _id, state: "kept" }));
    expect(await statusOfUpload(token, await bytesOf(_id, takedowns))).toBe(415);
  });

  it("A taken-down file stays so in the trash, in a folder and in another shard, and counts as storage until it is deleted", async () => {
    const account = await openProAccount();
    const { id, token, email } = account;
    const { _id, url, fileSize } = await uploadOne(token, { name: "a.png", bytes: newPng() });
    await takeDown({ url });
    await callJson("POST", "/images/bulk-trash", token, { ids: [_id] });
    const folder = await (await callJson("POST", "/folders", token, { name: "a" })).json<{ _id: string }>();
    await callJson("PATCH", `/images/${_id}`, token, { folderId: folder._id });
    await replayIntents(id);
    expect(await move(email, await otherShard(id))).toEqual({ outcome: "moved" });
    await replayIntents(id);
    await expectTakenDown(url);
    expect((await find(token, _id)).takedown).toMatchObject({ reason: "Copyright" });
    expect(usageOf(await call("/account", { headers: bearer(token) })).storage).toBe(fileSize);
    expect((await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) })).status).toBe(200);
    expect(usageOf(await call("/account", { headers: bearer(token) })).storage).toBe(0);
    expect((await call(pathOf(url))).status).toBe(404);
    await replayIntents(id);
    await expectNothingLeft(id);
  });

  it("An account with a taken-down file is erased, and the kept bytes stay", async () => {
    const { id, token, email } = await openAccount();
    const { url } = await uploadOne(token, { name: "a.png", bytes: newPng() });
    const takedown = await takeDown({ url });
    await asOperator("POST", `accounts/${email}/erase`, { reason: "Asked" });
    await replayIntents(id);
    await replayIntents(id);
    await expectNothingLeft(id);
    expect(await env.FILES.head(quarantineKey(takedown.id))).not.toBeNull();
  });

  it("The comparison of the stores finds no difference in a taken-down file, and takes it down again if its mark is lost", async () => {
    const { id, token } = await openAccount();
    const bytes = newPng();
    const { _id, url, filename } = await uploadOne(token, { name: "a.png", bytes });
    await takeDown({ url });
    await replayIntents(id);
    expect((await reconcile(id, false)).findings).toEqual([]);
    for (const damage of [
      () => env.FILES.put(filename, bytes, { httpMetadata: { contentType: "image/png" } }),
      () => env.FILES.delete(filename),
      async () =>
        (await libraryOf(id)).binding.prepare("UPDATE uploads SET takedown = NULL WHERE id = ?").bind(_id).run(),
    ]) {
      await damage();
      expect((await reconcile(id, true)).findings).toMatchObject([
        { kind: "takedown-undone", subject: _id, repaired: true },
      ]);
      await replayIntents(id);
      await expectTakenDown(url);
      expect((await reconcile(id, false)).findings).toEqual([]);
    }
  });
});

/** The kept bytes of a takedown. */
async function bytesOf(uploadId: string, takedowns: object[]): Promise<Uint8Array<ArrayBuffer>> {
  const { id } = (takedowns as { id: string; uploadId: string }[]).find((one) => one.uploadId === uploadId) ?? {
    id: "",
  };
  const kept = await env.FILES.get(quarantineKey(id));
  return new Uint8Array((await kept?.arrayBuffer()) ?? new ArrayBuffer(0));
}

async function statusOfUpload(token: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  forgetBlockList();
  return (await upload(token, [{ name: "again.png", bytes }])).status;
}

describe("The block list", () => {
  it("Blocked bytes are 415 `content_blocked` as a form, as a raw body and by tus, and nothing is stored", async () => {
    const { token: first } = await openAccount();
    const bytes = newPng();
    const { url } = await uploadOne(first, { name: "a.png", bytes });
    await takeDown({ url });
    forgetBlockList();
    const other = await openAccount();
    const form = await upload(other.token, [{ name: "b.png", bytes }]);
    expect([form.status, await form.json()]).toEqual([415, BLOCKED]);
    const raw = await call("/images/upload?filename=c.png", {
      method: "POST",
      headers: { ...bearer(other.token), "Content-Type": "image/png" },
      body: bytes,
    });
    expect([raw.status, await raw.json()]).toEqual([415, BLOCKED]);
    const path = await begin(other.token, bytes.length, { filename: "d.png" });
    expect((await patch(other.token, path, 0, bytes.subarray(0, 50))).status).toBe(204);
    const last = await patch(other.token, path, 50, bytes.subarray(50));
    expect([last.status, await last.json()]).toEqual([415, BLOCKED]);
    await replayIntents(other.id);
    await expectNothingLeft(other.id);
    const same = png(3, 3, bytes.length);
    expect((await upload(other.token, [{ name: "e.png", bytes: same }])).status).toBe(201);
  });

  it("Blocked bytes of more than one part are refused as a form and by tus", async () => {
    const { token: first } = await openAccount();
    const bytes = mp4(9 * 1024 * 1024 + size, 7);
    const { url } = await uploadOne(first, { name: "a.mp4", bytes });
    await takeDown({ url });
    forgetBlockList();
    const other = await openAccount();
    const form = await upload(other.token, [{ name: "b.mp4", bytes }]);
    expect([form.status, await form.json()]).toEqual([415, BLOCKED]);
    const path = await begin(other.token, bytes.length, { filename: "d.mp4" });
    const last = await patch(other.token, path, 0, bytes);
    expect([last.status, await last.json()]).toEqual([415, BLOCKED]);
    await replayIntents(other.id);
    await expectNothingLeft(other.id);
  });

  it.each(["private", "none"])(
    "A blocked film of more than one part is refused although it loses its metadata: %s",
    async (metadata) => {
      const { token: first } = await openAccount();
      const bytes = mp4(9 * 1024 * 1024 + ++size, 7);
      // A box of another maker, which is overwritten.
      bytes.set(new TextEncoder().encode("\0\0\0\x30uuid"), 24);
      const { url } = await uploadOne(first, { name: "a.mp4", bytes });
      await takeDown({ url });
      forgetBlockList();
      const other = await openAccount();
      await callJson("PATCH", "/settings", other.token, { metadata });
      const form = await upload(other.token, [{ name: "b.mp4", bytes }]);
      expect([form.status, await form.json()]).toEqual([415, BLOCKED]);
      await replayIntents(other.id);
      await expectNothingLeft(other.id);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      expect((await upload(other.token, [{ name: "c.mp4", bytes }])).status).toBe(201);
    },
  );

  it("A compressed image is blocked in its uploaded form, too", async () => {
    const { token } = await openAccount();
    await callJson("PATCH", "/settings", token, { autoCompress: true, compressionQuality: 50 });
    const bytes = newPhoto();
    const { url, compressed } = await uploadOne(token, { name: "a.jpg", bytes });
    expect(compressed).toBe(true);
    const kept = new Uint8Array(await (await call(pathOf(url))).arrayBuffer());
    const takedown = await takeDown({ url });
    expect(await statusOfUpload(token, bytes)).toBe(415);
    expect(await statusOfUpload((await openAccount()).token, kept)).toBe(415);
    await asOperator("DELETE", `takedowns/${takedown.id}`);
  });

  it("A copy of the list of blocked files is used for a minute, so an upload costs no query of its own", async () => {
    const { token } = await openAccount();
    expect((await upload(token, [{ name: "a.png", bytes: newPng() }])).status).toBe(201);
    const bytes = newPng();
    const { url } = await uploadOne(token, { name: "b.png", bytes });
    await takeDown({ url });
    expect((await upload(token, [{ name: "c.png", bytes }])).status).toBe(201);
    expect(await statusOfUpload(token, bytes)).toBe(415);
  });
});

describe("Kept bytes", () => {
  it("A restored file is served with the same bytes, and may be uploaded again", async () => {
    const { id, token } = await openAccount();
    const bytes = newPng();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes });
    const takedown = await takeDown({ url });
    const restored = await asOperator("DELETE", `takedowns/${takedown.id}`);
    expect([restored.status, await restored.json()]).toEqual([200, { restored: true }]);
    const served = await call(pathOf(url));
    expect(served.headers.get("Content-Type")).toBe("image/png");
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes);
    expect((await find(token, _id)).takedown).toBeUndefined();
    expect(await statusOfUpload(token, bytes)).toBe(201);
    await replayIntents(id);
    expect((await call(pathOf(url))).status).toBe(200);
    expect(await env.FILES.head(quarantineKey(takedown.id))).toBeNull();
    expect((await readMeter(id)).intents).toEqual([]);
    expect((await asOperator("DELETE", `takedowns/${"0".repeat(26)}`)).status).toBe(404);
  });

  it("A repeated call of a takedown that was restored since leaves the file and its bytes", async () => {
    const { id, token } = await openAccount();
    const bytes = newPng();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes });
    const order = { id: newId(Date.now()), uploadId: _id, reason: "Copyright", keepUntil: Date.now() + 86_400_000 };
    expect(await meterOf(id).takeDown(order)).toMatchObject({ outcome: "taken-down", takedown: order });
    expect(await meterOf(id).restoreFile(_id, order.id)).toEqual({ outcome: "restored" });
    expect(await meterOf(id).takeDown(order)).toMatchObject({ outcome: "taken-down", takedown: order });
    await replayIntents(id);
    const served = await call(pathOf(url));
    expect([served.status, new Uint8Array(await served.arrayBuffer())]).toEqual([200, bytes]);
    expect((await find(token, _id)).takedown).toBeUndefined();
  });

  it("A restoration during the deletion of the file does not write it again", async () => {
    const { id, token } = await openAccount();
    const { _id, filename } = await uploadOne(token, { name: "a.png", bytes: newPng() });
    const takedown = await takeDown({ id: _id });
    await replaceStores(id, failingDatabases());
    const deleted = await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) });
    expect(deleted.status).toBe(503);
    await restoreStores(id);
    expect(await meterOf(id).restoreFile(_id, takedown.id)).toEqual({ outcome: "gone" });
    expect((await env.FILES.head(filename))?.size).toBe(0);
    await replayIntents(id);
    await replayIntents(id);
    await expectNothingLeft(id);
  });

  it("A restoration during a deletion that keeps the file, because it is not in the trash, brings the bytes back", async () => {
    const { id, token } = await openAccount();
    const bytes = newPng();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes });
    const takedown = await takeDown({ id: _id });
    await replaceStores(id, failingDatabases());
    const deleted = await call(`/images/${_id}?onlyFrom=trash`, { method: "DELETE", headers: bearer(token) });
    expect(deleted.status).toBe(503);
    await restoreStores(id);
    const restored = await asOperator("DELETE", `takedowns/${takedown.id}`);
    expect([restored.status, await restored.json()]).toEqual([200, { restored: true }]);
    await replayIntents(id);
    expect(new Uint8Array(await (await call(pathOf(url))).arrayBuffer())).toEqual(bytes);
  });

  it("`keepDays: 0` destroys the bytes, and the file cannot be restored", async () => {
    const { token } = await openAccount();
    const bytes = newPng();
    const { url } = await uploadOne(token, { name: "a.png", bytes });
    const takedown = await takeDown({ url, keepDays: 0 });
    expect(takedown).toMatchObject({ state: "destroyed", keepUntil: null });
    expect(await env.FILES.head(quarantineKey(takedown.id))).toBeNull();
    const answer = await asOperator("DELETE", `takedowns/${takedown.id}`);
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: "bytes_destroyed" }]);
    await expectTakenDown(url);
    expect(await statusOfUpload(token, bytes)).toBe(415);
  });

  it("Kept bytes are destroyed in the night after they expire, and stay blocked", async () => {
    const { token } = await openAccount();
    const bytes = newPng();
    const { url } = await uploadOne(token, { name: "a.png", bytes });
    const takedown = await takeDown({ url, keepDays: 1 });
    await env.DB.prepare("UPDATE takedowns SET keep_until = 1 WHERE id = ?").bind(takedown.id).run();
    await startNightly(createScheduledController(), env);
    expect(await env.FILES.head(quarantineKey(takedown.id))).toBeNull();
    await expectTakenDown(url);
    expect(await statusOfUpload(token, bytes)).toBe(415);
  });

  it("A takedown of an upload that its owner has deleted ends without a file", async () => {
    const { id, token } = await openProAccount();
    const bytes = newPng();
    const { _id, url } = await uploadOne(token, { name: "a.png", bytes });
    const takedown = await takeDown({ url });
    await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) });
    expect(await statusOfUpload(token, bytes)).toBe(415);
    const answer = await asOperator("DELETE", `takedowns/${takedown.id}`);
    expect([answer.status, await answer.json()]).toEqual([200, { restored: false }]);
    expect(await statusOfUpload(token, bytes)).toBe(201);
    expect(await env.FILES.head(quarantineKey(takedown.id))).toBeNull();
    await replayIntents(id);
    expect((await call(pathOf(url))).status).toBe(404);
  });
});
