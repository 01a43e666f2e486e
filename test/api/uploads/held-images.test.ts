import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import type { Lease } from "../../../src/isolate/memory-budget.ts";
import { largeFiles, smallFiles } from "../../../src/services/uploads/receive/upload-memory.ts";
import worker from "../../../src/worker.ts";
import { expectConsistent, storedKeys } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, callJson, openAccount, type UploadResult } from "../../support/api/api.ts";
import { extension, writeGif } from "../../support/gif/write-gif.ts";
import { inChunks, multipartBody, streamOf } from "../../support/uploads/multipart.ts";

// An image of one to two parts that will be compressed is held, so that R2 does not store it twice.

const MIB = 1024 * 1024;
const held: Lease[] = [];

afterEach(() => {
  for (const lease of held.splice(0)) lease.release();
  expect([largeFiles.freeBytes, smallFiles.freeBytes]).toEqual([largeFiles.totalBytes, smallFiles.totalBytes]);
});

/** A GIF of about this size. One with two frames moves, and is stored as uploaded. */
function drawing(sizeBytes: number, frames = 1): Uint8Array<ArrayBuffer> {
  const colours: [number, number, number][] = [
    [0, 0, 0],
    [255, 0, 0],
  ];
  const comment = new Uint8Array(sizeBytes);
  for (let at = 0; at < comment.length; at++) comment[at] = at * 7 + (at >> 8);
  const pixel = (x: number, y: number) => (x + y) & 1;
  return new Uint8Array(
    writeGif({
      width: 40,
      height: 30,
      colours,
      blocks: [extension(0xfe, comment)],
      frames: Array.from({ length: frames }, () => ({ width: 40, height: 30, pixel })),
    }),
  );
}

/** Uploads an image. @param isSizeKnown whether the client declares the body's length */
async function upload(content: Uint8Array<ArrayBuffer>, isSizeKnown = true) {
  const account = await openAccount("pro");
  const settings = { autoCompress: true, metadata: "keep" };
  expect((await callJson("PATCH", "/settings", account.token, settings)).status).toBe(200);
  const body = multipartBody("edge", [{ name: "file", filename: "a.gif", content }]);
  const headers = {
    ...bearer(account.token),
    "Content-Type": "multipart/form-data; boundary=edge",
    ...(isSizeKnown ? { "Content-Length": String(body.length) } : {}),
  };
  const request = new Request(`${BASE_URL}/images/upload`, {
    method: "POST",
    headers,
    body: streamOf(inChunks(body, 100_000)),
  });
  const calls: string[] = [];
  const files = new Proxy(env.FILES, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return member.apply(target, args);
      };
    },
  });
  const ctx = createExecutionContext();
  const response = await worker.fetch(request, { ...env, FILES: files }, ctx);
  await waitOnExecutionContext(ctx);
  expect(response.status).toBe(201);
  const result = await response.json<UploadResult>();
  expect(result.originalFileSize).toBe(content.length);
  expect(await storedKeys(account.id)).toEqual([result.filename]);
  await expectConsistent(account.id);
  return { result, calls };
}

/** Leaves this memory for large files. */
function leaveMemory(bytes: number): void {
  const lease = largeFiles.tryTake(largeFiles.freeBytes - bytes);
  if (lease === undefined) throw new Error("Another request holds memory");
  held.push(lease);
}

it("An image of less than two parts is compressed before R2 has anything of it", async () => {
  const { result, calls } = await upload(drawing(11 * MIB));
  expect(result).toMatchObject({ mimeType: "image/png", compressed: true });
  expect(calls).toEqual(["put"]);
});

it("An image of less than two parts that stays as uploaded is stored in one request", async () => {
  const image = drawing(9 * MIB, 2);
  const { result, calls } = await upload(image);
  expect(result).toMatchObject({ mimeType: "image/gif", compressed: false, fileSize: image.length });
  expect(calls).toEqual(["put"]);
  const bytes = await (await env.FILES.get(result.filename))?.arrayBuffer();
  expect(Buffer.compare(Buffer.from(bytes ?? []), image)).toBe(0);
});

it.each([
  ["more than two parts", 2 * PART_BYTES, 48 * MIB, true],
  ["a size that the client has not declared", 9 * MIB, 48 * MIB, false],
  ["less than two parts but no memory for the second", 11 * MIB, PART_BYTES, true],
  ["less than two parts but memory for half of the second", 11 * MIB, PART_BYTES + 1.7 * MIB, true],
])("An image of %s goes to R2 in parts and is compressed from there", async (_, sizeBytes, freeBytes, isSizeKnown) => {
  leaveMemory(freeBytes);
  const { result, calls } = await upload(drawing(sizeBytes), isSizeKnown);
  expect(result).toMatchObject({ mimeType: "image/png", compressed: true });
  expect(calls).toEqual(["createMultipartUpload", "get", "put", "delete"]);
});

it("An image that goes to R2 after a part of its second part was held keeps every byte", async () => {
  leaveMemory(PART_BYTES + 1.7 * MIB);
  const image = drawing(11 * MIB, 2);
  const { result, calls } = await upload(image);
  expect(calls).toEqual(["createMultipartUpload", "get"]);
  const bytes = await (await env.FILES.get(result.filename))?.arrayBuffer();
  expect(Buffer.compare(Buffer.from(bytes ?? []), image)).toBe(0);
});
