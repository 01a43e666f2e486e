import { type Connection, readJson } from "./connection.ts";
import { MediaHostError } from "./media-host-error.ts";
import type { ShownUpload, UploadResult } from "./types.ts";
import type { UploadOptions } from "./upload.ts";

// tus 1.0.0 (https://tus.io/protocols/resumable-upload), the core protocol, creation, expiration and termination.

/** What remembers strings: `localStorage`, or anything like it. */
export interface UploadStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

const MIB = 1024 * 1024;
/** A body over 100 MB does not reach a Worker of the smaller plans. */
const CHUNK_BYTES = 40 * MIB;
/** Where `fetch` says nothing of what was sent, each answer does. */
const TOLD_CHUNK_BYTES = 8 * MIB;
const TUS = { "Tus-Resumable": "1.0.0" };
/** The service does not know the upload, or no more. */
const GONE = [404, 410];

interface Upload {
  readonly connection: Connection;
  readonly file: Blob;
  readonly options: UploadOptions;
  readonly url: string;
}

/**
 * Uploads one file in pieces. A lost answer is found again by asking for the offset, so that no byte is sent twice that has arrived.
 * Aborted with `storage`, the upload stays and the same call goes on with it; without, it is given up.
 * @throws MediaHostError; the signal's reason
 */
export async function sendResumable(connection: Connection, file: Blob, options: UploadOptions): Promise<UploadResult> {
  const { storage, signal } = options;
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
      // Whose session is over goes on when it is renewed.
      if (error instanceof MediaHostError && !error.retryable && error.statusCode !== 401)
        await storage?.removeItem(name);
      if (storage === undefined && signal?.aborted) void remove(connection, url);
      // What was begun in another session may have expired since.
      if (isNew || !isGone(error)) throw error;
      url = undefined;
    }
  }
}

/** Gives up what `storage` remembers of a file: the service forgets its bytes, and the next upload begins anew. */
export async function discard(connection: Connection, file: Blob, options: UploadOptions): Promise<void> {
  const name = storageKey(connection, file, options);
  const url = await options.storage?.getItem(name);
  if (!url) return;
  await options.storage?.removeItem(name);
  await remove(connection, url);
}

/** What nobody removes expires. */
async function remove(connection: Connection, url: string): Promise<void> {
  await connection.send({ method: "DELETE", path: url, headers: TUS }).catch(() => undefined);
}

function storageKey({ baseUrl }: Connection, file: Blob, options: UploadOptions): string {
  const { name, lastModified } = file as Partial<File>;
  const { folderId, tags } = options;
  return `media-host:${JSON.stringify([baseUrl, options.name ?? name, file.size, lastModified, folderId, tags])}`;
}

/** @returns where its bytes go */
async function create(connection: Connection, file: Blob, options: UploadOptions): Promise<string> {
  const { signal, folderId, tags } = options;
  const name = options.name ?? (file as Partial<File>).name ?? "file";
  const metadata = { filename: name, folderId, tags: tags?.join(",") };
  const headers = {
    ...TUS,
    "Upload-Length": String(file.size),
    "Upload-Metadata": Object.entries(metadata)
      .flatMap(([key, value]) => (value ? [`${key} ${toBase64(value)}`] : []))
      .join(","),
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
 * Sends what is missing.
 * @param offset what has arrived; undefined where that has to be asked for
 */
async function finish(upload: Upload, offset: number | undefined): Promise<UploadResult> {
  const { connection, file, options } = upload;
  const { signal, onProgress } = options;
  const totalBytes = file.size;
  const tell = (sentBytes: number) => onProgress?.({ sentBytes, totalBytes });
  const retries = connection.retries(signal);
  let known = offset;
  let arrived = offset ?? 0;
  for (;;) {
    try {
      known ??= await askOffset(upload);
      if (known > arrived) retries.progressed();
      arrived = Math.max(arrived, known);
      tell(known);
      const answer = known < totalBytes ? await sendChunk(upload, known) : await askResult(upload);
      if (answer.status === 200) return await readResult(answer);
      const next = readOffset(answer);
      // The service took nothing of it: that is one of the tries that failed.
      if (next <= known) throw new MediaHostError("The upload does not go on", { statusCode: 0 });
      retries.progressed();
      known = arrived = next;
    } catch (error) {
      known = undefined;
      await retries.after(
        isConflict(error) ? new MediaHostError("Another offset", { statusCode: 0, cause: error }) : error,
      );
    }
  }
}

async function sendChunk({ connection, file, options, url }: Upload, offset: number): Promise<Response> {
  const { signal, onProgress } = options;
  const chunkBytes = onProgress === undefined || connection.tellsProgress ? CHUNK_BYTES : TOLD_CHUNK_BYTES;
  const onSent =
    onProgress &&
    ((sentBytes: number) => onProgress({ sentBytes: Math.min(offset + sentBytes, file.size), totalBytes: file.size }));
  return connection.send({
    ...{ method: "PATCH", path: url, signal, onSent },
    headers: { ...TUS, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" },
    body: file.slice(offset, offset + chunkBytes),
  });
}

async function askOffset({ connection, options, url }: Upload): Promise<number> {
  return readOffset(await connection.send({ method: "HEAD", path: url, headers: TUS, signal: options.signal }));
}

/** All bytes have arrived, and the answer that says what became of them got lost. */
async function askResult({ connection, options, url }: Upload): Promise<Response> {
  return connection.send({ method: "GET", path: url, signal: options.signal });
}

/** @throws MediaHostError of status 0 where it is not stored yet */
async function readResult(answer: Response): Promise<UploadResult> {
  const result = await readJson<ShownUpload>(answer);
  if ("url" in result) return result;
  throw new MediaHostError("The upload is not stored yet", { statusCode: 0 });
}

/** @throws MediaHostError of status 0 where the answer is none of tus */
function readOffset(answer: Response): number {
  const offset = Number.parseInt(answer.headers.get("Upload-Offset") ?? "", 10);
  if (offset >= 0) return offset;
  throw new MediaHostError("No Upload-Offset in the answer", { statusCode: 0 });
}

function isGone(error: unknown): boolean {
  return error instanceof MediaHostError && GONE.includes(error.statusCode);
}

/** The service knows of more bytes, or of fewer, than we do: a browser sends a request again on its own whose connection was reset. */
function isConflict(error: unknown): boolean {
  return error instanceof MediaHostError && error.statusCode === 409;
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
