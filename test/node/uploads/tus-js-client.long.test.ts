import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import * as tus from "tus-js-client";
import { Upload, type UploadOptions, type UrlStorage } from "tus-js-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBusinessAccount } from "../../bench/support/account.ts";
import { mp4 } from "../../support/media/samples.ts";
import { type Stack, startApi } from "../../support/stack/miniflare.ts";

// tus-js-client, which most pages and apps use, in Node. (In a browser: test/e2e/tools-uppy.test.ts.)

const MIB = 1024 * 1024;

/** The types of tus-js-client omit the parts for Node. */
const { FileUrlStorage } = tus as unknown as { FileUrlStorage: new (path: string) => UrlStorage };

let stack: Stack;
let headers: Record<string, string>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-tus-js-"));
  stack = await startApi();
  headers = (await openBusinessAccount(stack.url)).client.headers as Record<string, string>;
});

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

type Source = Buffer | Readable;
type Options = Partial<UploadOptions>;

interface Sent {
  readonly url: string;
  readonly fileSize: number;
}

/** An upload that is not started yet, and the result of its last answer. */
function prepare(source: Source, options: Options) {
  const { promise: result, resolve, reject } = Promise.withResolvers<Sent>();
  const upload = new Upload(source, {
    endpoint: new URL("/images/upload", stack.url).href,
    headers,
    metadata: { filename: "film.mp4", tags: "one" },
    retryDelays: [100, 500, 1000, 2000],
    onError: reject,
    onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody())),
    ...options,
  });
  // The caller that awaits the promise gets the error.
  result.catch(() => undefined);
  return { upload, result };
}

function send(source: Source, options: Options): Promise<Sent> {
  const { upload, result } = prepare(source, options);
  upload.start();
  return result;
}

/** Sends the first chunk of a file and leaves the upload there. @returns its address */
async function leaveAfterFirstChunk(source: Source, options: Options): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { upload } = prepare(source, { ...options, onChunkComplete: () => void upload.abort().then(resolve) });
  upload.start();
  await promise;
  return upload.url ?? "";
}

/** Records the offset at which each PATCH began. */
function noteOffsets(offsets: number[]): Options {
  return {
    onBeforeRequest: (request) => {
      if (request.getMethod() === "PATCH") offsets.push(Number(request.getHeader("Upload-Offset")));
    },
  };
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
}

/** A video of this size in pieces of 10 MiB, all different. */
function* film(sizeBytes: number, onPiece: (piece: Buffer) => void): Generator<Buffer> {
  for (let at = 0; at < sizeBytes; at += 10 * MIB) {
    const piece = at === 0 ? Buffer.from(mp4(10 * MIB, 1)) : randomBytes(Math.min(10 * MIB, sizeBytes - at));
    onPiece(piece);
    yield piece;
  }
}

async function unfinished(): Promise<unknown[]> {
  const answer = await fetch(new URL("/images/upload", stack.url), { headers });
  return ((await answer.json()) as { uploads: unknown[] }).uploads;
}

async function expectServed({ url, fileSize }: Sent, bytes: Buffer): Promise<void> {
  expect(fileSize).toBe(bytes.length);
  const file = Buffer.from(await (await fetch(new URL(new URL(url).pathname, stack.url))).arrayBuffer());
  const hash = (of: Buffer) => createHash("sha256").update(of).digest("hex");
  expect(hash(file)).toBe(hash(bytes));
}

it.each<[string, number, Options]>([
  ["in one piece", 3 * MIB, { chunkSize: 40 * MIB }],
  ["in pieces of any size", 21 * MIB, { chunkSize: 3_000_000 }],
  ["with the data in its creation", 2 * MIB, { chunkSize: 5 * MIB, uploadDataDuringCreation: true }],
])("tus-js-client sends a file %s", async (_, size, options) => {
  const bytes = Buffer.from(mp4(size, size));
  await expectServed(await send(bytes, options), bytes);
});

it("tus-js-client resumes an interrupted upload in the same object", async () => {
  const bytes = Buffer.from(mp4(30 * MIB, 30));
  let isPaused = false;
  const { upload, result } = prepare(bytes, {
    chunkSize: 5 * MIB,
    onChunkComplete: () => {
      if (isPaused) return;
      isPaused = true;
      void upload.abort().then(() => upload.start());
    },
  });
  upload.start();
  await expectServed(await result, bytes);
});

it("tus-js-client sends a stream of unknown length", async () => {
  const bytes = Buffer.from(mp4(13 * MIB + 77, 13));
  const stream = Readable.from(piecesOf(bytes), { objectMode: false });
  await expectServed(await send(stream, { chunkSize: 5 * MIB, uploadLengthDeferred: true }), bytes);
});

it("tus-js-client sends a file larger than a request may be", async () => {
  const size = 200_000_000;
  const hash = createHash("sha256");
  const stream = Readable.from(film(size, (piece) => hash.update(piece)));
  const result = await send(stream, { chunkSize: 40 * MIB, uploadSize: size });
  expect(result.fileSize).toBe(size);
  const served = createHash("sha256");
  for await (const piece of (await fetch(new URL(new URL(result.url).pathname, stack.url))).body ?? [])
    served.update(piece);
  expect(served.digest("hex")).toBe(hash.digest("hex"));
}, 180_000);

it("tus-js-client resumes another process's upload from its stored URL, and removes the URL at the end", async () => {
  const bytes = Buffer.from(mp4(12 * MIB, 12));
  const stored = (): Options => ({ chunkSize: 5 * MIB, urlStorage: new FileUrlStorage(join(folder, "urls.json")) });
  await leaveAfterFirstChunk(bytes, stored());
  const offsets: number[] = [];
  const { upload, result } = prepare(bytes, { ...stored(), ...noteOffsets(offsets), removeFingerprintOnSuccess: true });
  const [previous, ...others] = await upload.findPreviousUploads();
  if (previous === undefined) throw new Error("No upload was stored");
  expect(others).toEqual([]);
  upload.resumeFromPreviousUpload(previous);
  upload.start();
  await expectServed(await result, bytes);
  expect(offsets).toEqual([5 * MIB, 10 * MIB]);
  expect(await prepare(bytes, stored()).upload.findPreviousUploads()).toEqual([]);
});

it("tus-js-client resumes from only the upload's address", async () => {
  const bytes = Buffer.from(mp4(12 * MIB, 21));
  const uploadUrl = await leaveAfterFirstChunk(bytes, { chunkSize: 5 * MIB });
  const offsets: number[] = [];
  await expectServed(await send(bytes, { chunkSize: 5 * MIB, uploadUrl, ...noteOffsets(offsets) }), bytes);
  expect(offsets).toEqual([5 * MIB, 10 * MIB]);
});

it("tus-js-client terminates an upload and leaves nothing behind", async () => {
  const bytes = Buffer.from(mp4(12 * MIB, 22));
  const uploadUrl = await leaveAfterFirstChunk(bytes, { chunkSize: 5 * MIB });
  expect(await unfinished()).toHaveLength(1);
  await Upload.terminate(uploadUrl, { headers, retryDelays: [100] });
  expect(await unfinished()).toEqual([]);
  // tus-js-client starts again if an address is unknown.
  await expectServed(await send(bytes, { chunkSize: 5 * MIB, uploadUrl }), bytes);
});

it("tus-js-client gets an error for parallel parts, and no part is stored", async () => {
  const sent = send(Buffer.from(mp4(12 * MIB, 23)), { chunkSize: 5 * MIB, parallelUploads: 3 });
  await expect(sent).rejects.toThrow("Concatenation is not supported");
  expect(await unfinished()).toEqual([]);
});
