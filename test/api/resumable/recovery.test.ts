import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { fileKey } from "../../../src/domain/object-key.ts";
import type { UploadStored } from "../../../src/domain/queue-messages.ts";
import {
  expectConsistent,
  expectNothingLeft,
  meterOf,
  readMeter,
  replaceStores,
  setStorageBytes,
  uploadRowIds,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../../support/api/api.ts";
import { mp4 } from "../../support/media/samples.ts";
import { writePng } from "../../support/png/write-png.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { begin, create, head, offsetOf, patch, remove } from "../../support/uploads/tus.ts";

const MIB = 1024 * 1024;
const PART = 8 * MIB;

function idOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

/** Changes the uploads' rows in the account's object, and rings its alarm. */
async function alarmAfter(accountId: string, change: string): Promise<void> {
  await runInDurableObject(meterOf(accountId), async (_, { storage }) => {
    storage.sql.exec(`UPDATE resumables SET ${change}, due_at = 1`);
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  await runDurableObjectAlarm(meterOf(accountId));
}

function rowsOf(accountId: string): Promise<Record<string, unknown>[]> {
  return runInDurableObject(meterOf(accountId), (_, { storage: { sql } }) =>
    sql.exec("SELECT * FROM resumables").toArray(),
  );
}

/** A request that sends these bytes and then stops. */
function stuckPatch(account: TestAccount, path: string, bytes: Uint8Array) {
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      if (sent === bytes.length) {
        resolve();
        return new Promise<void>(() => undefined);
      }
      controller.enqueue(new Uint8Array(bytes.subarray(sent, sent + MIB)));
      sent = Math.min(bytes.length, sent + MIB);
      return Promise.resolve();
    },
  });
  return { isRead, answer: patch(account.uploadKey, path, 0, body) };
}

/** An upload whose writer sent two parts and the end, and was gone before they were processed. */
async function abandonAtTheEnd(account: TestAccount, path: string, bytes: Uint8Array) {
  const [id, meter, writer] = [idOf(path), meterOf(account.id), "dead"];
  const objectKey = fileKey(account.id, id, "film.mp4");
  expect(await meter.openResumable(id, { writer, offset: 0 })).toMatchObject({ outcome: "opened" });
  const multipart = await env.FILES.createMultipartUpload(objectKey, { httpMetadata: { contentType: "video/mp4" } });
  const facts = { objectKey, originalFilename: "film.mp4", mimeType: "video/mp4", width: 0, height: 0 } as const;
  const file = { ...facts, multipartId: multipart.uploadId };
  await meter.beginResumable(id, writer, file);
  for (let number = 1; (number - 1) * PART < bytes.length; number++) {
    const endsAt = Math.min(number * PART, bytes.length);
    const part = await multipart.uploadPart(number, bytes.slice((number - 1) * PART, endsAt));
    expect(await meter.commitPart(id, writer, { part, endsAt })).toEqual({ outcome: "written", offset: endsAt });
  }
  return { id, meter, writer, file };
}

async function expectFinished(account: TestAccount, path: string, bytes: Uint8Array): Promise<void> {
  expect(await uploadRowIds(account.id)).toEqual([idOf(path)]);
  const shown = await call(path, { headers: bearer(account.uploadKey) });
  const { url, filename } = await shown.json<{ url: string; filename: string }>();
  expect(url).toContain("film.mp4");
  const stored = await (await env.FILES.get(filename))?.arrayBuffer();
  expect(Buffer.from(stored ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
  expect(await readMeter(account.id)).toMatchObject({ usedTenths: 10, storageBytes: bytes.length });
  await expectConsistent(account.id);
}

describe("Stuck writers", () => {
  it("A stuck writer yields to HEAD with all of its bytes, and learns of the new writer", async () => {
    const account = await openAccount();
    const bytes = mp4(20 * MIB);
    const path = await begin(account.uploadKey, bytes.length);
    const { isRead, answer } = stuckPatch(account, path, bytes.subarray(0, 11 * MIB));
    await isRead;
    expect(await offsetOf(account.uploadKey, path)).toBe(11 * MIB);
    expect((await answer).status).toBe(423);
    expect((await patch(account.uploadKey, path, 11 * MIB, bytes.subarray(11 * MIB))).status).toBe(200);
    await expectFinished(account, path, bytes);
  });

  it("A stuck writer yields to a PATCH, which is answered with the offset", async () => {
    const account = await openAccount();
    const bytes = mp4(2 * MIB);
    const path = await begin(account.uploadKey, bytes.length);
    const { isRead, answer } = stuckPatch(account, path, bytes.subarray(0, MIB));
    await isRead;
    const refused = await patch(account.uploadKey, path, 0, bytes);
    expect([refused.status, refused.headers.get("Upload-Offset")]).toEqual([409, String(MIB)]);
    expect((await answer).status).toBe(423);
    expect((await patch(account.uploadKey, path, MIB, bytes.subarray(MIB))).status).toBe(200);
    await expectFinished(account, path, bytes);
  });

  it("A stuck writer yields to a DELETE, and nothing is left", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 20 * MIB);
    const { isRead, answer } = stuckPatch(account, path, mp4(9 * MIB));
    await isRead;
    expect((await remove(account.uploadKey, path)).status).toBe(204);
    expect((await answer).status).toBe(423);
    expect(await rowsOf(account.id)).toEqual([]);
    await expectNothingLeft(account.id);
  });
});

it("One of several simultaneous writers writes, and the file is stored once", async () => {
  const account = await openAccount();
  const bytes = mp4(3 * MIB);
  const path = await begin(account.uploadKey, bytes.length);
  const answers = await Promise.all([1, 2, 3].map(() => patch(account.uploadKey, path, 0, bytes)));
  const statuses = answers.map(({ status }) => status);
  for (const status of statuses) expect([200, 409, 423]).toContain(status);
  const at = await offsetOf(account.uploadKey, path);
  // The writer may have been replaced by another, which was then answered with the offset.
  expect((await patch(account.uploadKey, path, at, bytes.subarray(at))).status).toBe(200);
  await expectFinished(account, path, bytes);
});

describe("Dead writers", () => {
  it("A dead writer is replaced when its lease has ended, and cannot write any more", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 3 * PART);
    const meter = meterOf(account.id);
    await meter.openResumable(idOf(path), { writer: "dead", offset: 0 });
    await meter.appendTail(idOf(path), "dead", 0, [mp4(1000)]);
    const started = Date.now();
    expect(await offsetOf(account.uploadKey, path)).toBe(1000);
    expect(Date.now() - started).toBeLessThan(9000);
    expect(await meter.appendTail(idOf(path), "dead", 1000, [mp4(1000)])).toEqual({ outcome: "lost" });
    const part = { partNumber: 1, etag: "x" };
    expect(await meter.commitPart(idOf(path), "dead", { part, endsAt: PART })).toEqual({ outcome: "lost" });
    expect(await rowsOf(account.id)).toMatchObject([{ offset: 1000, next_part: 2 }]);
  });

  it("A writer that died before the upload's end was announced leaves the rest to HEAD", async () => {
    const account = await openAccount();
    const bytes = mp4(PART + 5000);
    const path = await begin(account.uploadKey, bytes.length, { tags: "a" });
    await abandonAtTheEnd(account, path, bytes);
    expect(await offsetOf(account.uploadKey, path)).toBe(bytes.length);
    await expectFinished(account, path, bytes);
  });

  it.each(["", "after its object was made"])("A dead writer leaves the rest to the alarm %s", async (isMade) => {
    const account = await openAccount();
    const bytes = mp4(2 * PART);
    const path = await begin(account.uploadKey, bytes.length);
    const { id, meter, writer, file } = await abandonAtTheEnd(account, path, bytes);
    if (isMade !== "") {
      expect(await meter.completeResumable(id, writer, { file })).toMatchObject({ outcome: "completed" });
      expect((await readMeter(account.id)).intents).toMatchObject([{ reserved_bytes: bytes.length }]);
    }
    await evictDurableObject(meter);
    await runInDurableObject(meter, (_, { storage }) => void storage.sql.exec("UPDATE intents SET due_at = 1"));
    await alarmAfter(account.id, "lease_until = 1");
    await expectFinished(account, path, bytes);
  });
});

describe("New versions", () => {
  it("A new version of the service resumes uploads at their offset", async () => {
    const account = await openAccount();
    const bytes = mp4(PART + 5000);
    const path = await begin(account.uploadKey, bytes.length);
    for (const [from, to] of [
      [0, 3000],
      [3000, PART + 100],
    ] as const) {
      await patch(account.uploadKey, path, from, bytes.subarray(from, to));
      await evictDurableObject(meterOf(account.id));
      expect(await offsetOf(account.uploadKey, path)).toBe(to);
    }
    expect((await patch(account.uploadKey, path, PART + 100, bytes.subarray(PART + 100))).status).toBe(200);
    await expectFinished(account, path, bytes);
  });
});

describe("Abandoned uploads", () => {
  it("An abandoned upload releases the storage beyond its bytes, and reserves it again on resume", async () => {
    const account = await openAccount();
    await setStorageBytes(account.id, 1024 ** 3 - 5000);
    const path = await begin(account.uploadKey, 4000);
    await patch(account.uploadKey, path, 0, mp4(1000));
    await alarmAfter(account.id, `touched_at = ${Date.now() - 16 * 60_000}`);
    expect(await rowsOf(account.id)).toMatchObject([{ offset: 1000, reserved_bytes: 1000 }]);
    const other = await begin(account.uploadKey, 2000);
    const refused = await patch(account.uploadKey, path, 1000, mp4(3000));
    expect([refused.status, await refused.json()]).toMatchObject([413, { details: { reservedBytes: 3000 } }]);
    await remove(account.uploadKey, other);
    expect(await offsetOf(account.uploadKey, path)).toBe(1000);
    expect((await patch(account.uploadKey, path, 1000, mp4(3000))).status).toBe(200);
  });

  it("An abandoned upload is deleted a day after its last byte, in every store", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 3 * PART);
    await patch(account.uploadKey, path, 0, mp4(PART + 5000));
    const [row] = await rowsOf(account.id);
    const { objectKey, multipartId } = JSON.parse(String(row?.file));
    await alarmAfter(account.id, `touched_at = ${Date.now() - 25 * 3_600_000}`);
    expect((await head(account.uploadKey, path)).status).toBe(404);
    expect(await rowsOf(account.id)).toEqual([]);
    await expect(env.FILES.resumeMultipartUpload(objectKey, multipartId).uploadPart(9, "a")).rejects.toThrow();
    await expectNothingLeft(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
  });

  it("An upload is deleted six days after its creation, even if bytes arrive", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 5000);
    await patch(account.uploadKey, path, 0, mp4(1000));
    const days = (count: number) => `created_at = ${Date.now() - count * 86_400_000}`;
    await alarmAfter(account.id, days(5.9));
    expect(await offsetOf(account.uploadKey, path)).toBe(1000);
    await alarmAfter(account.id, days(6.1));
    expect((await head(account.uploadKey, path)).status).toBe(404);
    expect(await rowsOf(account.id)).toEqual([]);
  });

  it("An abandoned upload does not delay its account's move to another shard, and ends there", async () => {
    const account = await openAccount();
    const bytes = mp4(PART + 5000);
    const path = await begin(account.uploadKey, bytes.length);
    await patch(account.uploadKey, path, 0, bytes.subarray(0, PART + 100));
    expect(await move(account.email, await otherShard(account.id))).toEqual({ outcome: "moved" });
    expect((await patch(account.uploadKey, path, PART + 100, bytes.subarray(PART + 100))).status).toBe(200);
    expect(await uploadRowIds(account.id)).toEqual([idOf(path)]);
  });

  it("An abandoned upload is erased with its account", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 3 * PART);
    await patch(account.uploadKey, path, 0, mp4(PART + 5000));
    const [row] = await rowsOf(account.id);
    const { objectKey, multipartId } = JSON.parse(String(row?.file));
    await meterOf(account.id).erase(JSON.parse(atob(account.token.split(".")[1] ?? "")).sid);
    await runInDurableObject(meterOf(account.id), (_, { storage }) => storage.setAlarm(Date.now() + 3_600_000));
    await runDurableObjectAlarm(meterOf(account.id));
    await expect(env.FILES.resumeMultipartUpload(objectKey, multipartId).uploadPart(9, "a")).rejects.toThrow();
  });
});

describe("Finished uploads", () => {
  it("A finished upload is compressed by the account's settings, held or in parts", async () => {
    const account = await openAccount();
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    for (const size of [100, 1700]) {
      // The pixels do not compress: more than a part of it is held in the second.
      const pixel = (x: number, y: number) => [x & 255, y & 255, 7];
      const png = writePng({ width: size, height: size, colorType: 2, bitDepth: 8, pixel });
      const path = await begin(account.uploadKey, png.length, { filename: "a.png" });
      const response = await patch(account.uploadKey, path, 0, new Uint8Array(png));
      const result = { compressed: true, originalFileSize: png.length };
      expect([response.status, await response.json()]).toMatchObject([200, result]);
    }
    await expectConsistent(account.id);
  });

  it("A finished upload is in Root if its folder was deleted before", async () => {
    const account = await openAccount("business");
    const folder = await callJson("POST", "/folders", account.token, { name: "Going" });
    const { _id } = await folder.json<{ _id: string }>();
    const path = await begin(account.token, 500, { folderId: _id });
    await call(`/folders/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    const response = await patch(account.token, path, 0, mp4(500));
    expect([response.status, await response.json()]).toMatchObject([200, { folderId: null }]);
  });

  it("A finished video gets its thumbnail", async () => {
    const account = await openAccount();
    const sent: UploadStored[] = [];
    const queue = { send: async (message: UploadStored) => void sent.push(message) };
    const path = await begin(account.uploadKey, PART + 500);
    await abandonAtTheEnd(account, path, mp4(PART + 500));
    await replaceStores(account.id, { UPLOADS: queue as unknown as Queue<UploadStored> });
    await alarmAfter(account.id, "lease_until = 1");
    expect(sent).toMatchObject([{ type: "upload.stored", uploadId: idOf(path), mimeType: "video/mp4" }]);
  });

  it("A finished upload is remembered for ten minutes for a lost answer, its file permanently", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 500);
    const endedAt = Date.now();
    await patch(account.uploadKey, path, 0, mp4(500));
    const [row] = await rowsOf(account.id);
    expect(Math.round((Number(row?.due_at) - endedAt) / 60_000)).toBe(10);
    await alarmAfter(account.id, "lease_until = 0");
    expect((await head(account.uploadKey, path)).status).toBe(404);
    expect(await uploadRowIds(account.id)).toEqual([idOf(path)]);
    await expectConsistent(account.id);
  });

  it("A finished upload counts for the key that created it, even if another finishes it", async () => {
    const account = await openAccount();
    const path = await begin(account.uploadKey, 500);
    expect((await patch(account.token, path, 0, mp4(500))).status).toBe(200);
    const { operations } = await readMeter(account.id);
    expect(operations).toMatchObject([{ type: "upload", key_id: expect.any(String) }]);
  });

  it("Resumable uploads have a request limit of their own", async () => {
    const account = await openAccount();
    const created = await create(account.uploadKey, { "Upload-Length": "500" });
    expect(created.headers.get("X-RateLimit-Limit")).toBe("60");
    const shown = await head(account.uploadKey, created.headers.get("Location") ?? "");
    expect(shown.headers.get("X-RateLimit-Limit")).toBe("120");
  });
});
