import { type Connection, readJson } from "./connection.ts";
import { MediaHostError } from "./media-host-error.ts";
import { nameOf } from "./name-of.ts";
import type { StreamedFile } from "./open-stream.ts";
import type { ShownUpload, UploadResult } from "./types.ts";
import { fieldsOf, type UploadOptions, type UploadStorage } from "./upload-options.ts";

// tus 1.0.0 (https://tus.io/protocols/resumable-upload), the core protocol, creation, expiration and termination.

const MIB = 1024 * 1024;
/** Cloudflare's smaller plans refuse bodies above 100 MB. */
const CHUNK_BYTES = 40 * MIB;
/** Smaller pieces, because `fetch` reports progress only with each answer. */
const TOLD_CHUNK_BYTES = 8 * MIB;
const TUS = { "Tus-Resumable": "1.0.0" };

interface Upload {
  readonly connection: Connection;
  readonly file: Blob | StreamedFile;
  readonly options: UploadOptions;
  readonly url: string;
}

/**
 * Uploads one file in pieces. After a lost answer it asks for the offset, so no byte that arrived is sent twice. With a `storage`, an
 * aborted upload stays and the same call resumes it; without one, the upload is cancelled. A stream cannot be read again, so every failure
 * cancels its upload.
 * @throws MediaHostError; the signal's reason; the stream's error
 */
export async function sendResumable(
  connection: Connection,
  file: Blob | StreamedFile,
  options: UploadOptions,
): Promise<UploadResult> {
  const { signal } = options;
  const storage = storageFor(file, options);
  const name = storageKey(connection, file, options);
  let url = (await storage?.getItem(name)) ?? undefined;
  let isNew = false;
  for (;;) {
    if (url === undefined) {
      url = await create(connection, file, options);
      isNew = true;
      await storage?.setItem(name, url);
    }
    try {
      const result = await finish({ connection, file, options, url }, isNew ? 0 : undefined);
      await storage?.removeItem(name);
      return result;
    } catch (error) {
      // A renewed session resumes the upload.
      if (error instanceof MediaHostError && !error.retryable && error.statusCode !== 401)
        await storage?.removeItem(name);
      if (storage === undefined && (signal?.aborted || "read" in file)) void remove(connection, url);
      // A remembered upload may have expired since.
      if (isNew || !hasStatus(error, 404, 410)) throw error;
      url = undefined;
    }
  }
}

/** Cancels the upload of a file that `storage` remembers. The service deletes its bytes, and the next upload starts again. */
export async function discard(connection: Connection, file: Blob, options: UploadOptions): Promise<void> {
  const storage = storageFor(file, options);
  const name = storageKey(connection, file, options);
  const url = await storage?.getItem(name);
  if (!url) return;
  await storage?.removeItem(name);
  await remove(connection, url);
}

/** Deletes an upload. If that fails, the upload expires. */
async function remove(connection: Connection, url: string): Promise<void> {
  await connection.send({ method: "DELETE", path: url, headers: TUS }).catch(() => undefined);
}

/**
 * The store that remembers an unfinished upload; undefined for a `Blob` that is no file. Two files of one size are told apart by their time of
 * change, which a `Blob` does not have.
 */
function storageFor(file: Blob | StreamedFile, { storage }: UploadOptions): UploadStorage | undefined {
  return "lastModified" in file ? storage : undefined;
}

function storageKey({ baseUrl }: Connection, file: Blob | StreamedFile, options: UploadOptions): string {
  const { lastModified } = file as Partial<File>;
  return `media-host:${JSON.stringify([baseUrl, file.size, lastModified, describe(file, options)])}`;
}

/** The file's name and fields. */
function describe(file: Blob | StreamedFile, options: UploadOptions): [name: string, value: string][] {
  return [["filename", nameOf(file as Partial<File>, options.name)], ...fieldsOf(options)];
}

/** @returns the address of the upload */
async function create(connection: Connection, file: Blob | StreamedFile, options: UploadOptions): Promise<string> {
  const { signal } = options;
  const headers = {
    ...TUS,
    ...(file.size === undefined ? { "Upload-Defer-Length": "1" } : { "Upload-Length": String(file.size) }),
    "Upload-Metadata": String(describe(file, options).map(([key, value]) => `${key} ${toBase64(value)}`)),
  };
  const retries = connection.retries(signal);
  for (;;) {
    try {
      const answer = await connection.send({ method: "POST", path: "/images/upload", headers, signal });
      const location = answer.headers.get("Location") ?? "";
      const base = answer.url || connection.baseUrl;
      return base === "" ? location : new URL(location, base).href;
    } catch (error) {
      await retries.after(error);
    }
  }
}

/**
 * Sends the missing bytes.
 * @param offset the number of bytes that arrived; undefined if it is unknown
 */
async function finish(upload: Upload, offset: number | undefined): Promise<UploadResult> {
  const { connection, file, options } = upload;
  const { signal, onProgress } = options;
  const tell = (sentBytes: number) => onProgress?.({ sentBytes, totalBytes: lengthOf(file) });
  const retries = connection.retries(signal);
  let known = offset;
  let arrived = offset ?? 0;
  for (;;) {
    try {
      known ??= await askOffset(upload);
      if (known > arrived) retries.progressed();
      arrived = Math.max(arrived, known);
      tell(known);
      const answer = known < lengthOf(file) ? await sendChunk(upload, known) : await askResult(upload);
      if (answer.status === 200) return await readResult(answer);
      const next = readOffset(answer);
      // The service took no byte, so the try failed.
      if (next <= known) throw new MediaHostError("No progress", { statusCode: 0 });
      retries.progressed();
      known = arrived = next;
    } catch (error) {
      known = undefined;
      // The offsets may differ because a browser repeats a request automatically after a reset connection.
      await retries.after(
        hasStatus(error, 409) ? new MediaHostError("Offset", { statusCode: 0, cause: error }) : error,
      );
    }
  }
}

async function sendChunk({ connection, file, options, url }: Upload, offset: number): Promise<Response> {
  const { signal, onProgress } = options;
  const chunkBytes = onProgress === undefined || connection.tellsProgress ? CHUNK_BYTES : TOLD_CHUNK_BYTES;
  const body = "read" in file ? await file.read(offset) : file.slice(offset, offset + chunkBytes);
  const totalBytes = lengthOf(file);
  const onSent =
    onProgress &&
    ((sentBytes: number) => onProgress({ sentBytes: Math.min(offset + sentBytes, totalBytes), totalBytes }));
  return connection.send({
    method: "PATCH",
    path: url,
    signal,
    onSent,
    body,
    headers: {
      ...TUS,
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
      // The length of a stream is sent with its last bytes.
      ...("read" in file && file.size && { "Upload-Length": String(file.size) }),
    },
  });
}

function lengthOf({ size }: Blob | StreamedFile): number {
  return size ?? Infinity;
}

async function askOffset({ connection, options, url }: Upload): Promise<number> {
  return readOffset(await connection.send({ method: "HEAD", path: url, headers: TUS, signal: options.signal }));
}

/** Gets the result of an upload whose last answer was lost. */
async function askResult({ connection, options, url }: Upload): Promise<Response> {
  return connection.send({ method: "GET", path: url, signal: options.signal });
}

/** @throws MediaHostError with status 0 if the upload is not stored yet */
async function readResult(answer: Response): Promise<UploadResult> {
  const result = await readJson<ShownUpload>(answer);
  if ("url" in result) return result;
  throw new MediaHostError("Not stored", { statusCode: 0 });
}

/** @throws MediaHostError with status 0 if the answer is not tus */
function readOffset(answer: Response): number {
  const offset = Number.parseInt(answer.headers.get("Upload-Offset") ?? "", 10);
  if (offset >= 0) return offset;
  throw new MediaHostError("No Upload-Offset", { statusCode: 0 });
}

function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof MediaHostError && statuses.includes(error.statusCode);
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
