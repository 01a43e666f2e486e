import { createHash } from "node:crypto";
import { storedKey } from "../../../domain/object-key.ts";
import { UPLOADED_HASH } from "../../../domain/takedown.ts";
import { retryR2 } from "../../../isolate/calls.ts";
import { readInto } from "../../../isolate/read-into.ts";
import type { AccountContext } from "../../context.ts";
import type { HeldPart, IncomingFile } from "../receive/incoming-file.ts";
import type { IdentifiedFile } from "./identify-file.ts";

/** The body of an R2 object or part. */
type R2Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A file, and for a compressed or changed file the SHA-256 of the bytes as uploaded, which a takedown blocks, too. */
export type FileToPut = Pick<IdentifiedFile, "objectKey" | "visibility" | "mimeType"> & {
  readonly uploadedSha256?: string | null;
};

/**
 * Puts a file's object into R2 in one request; an existing object stays until then.
 * @throws Error if R2 fails, or the body has another length
 */
export async function putObject(
  { files }: AccountContext,
  { mimeType, uploadedSha256 = null, ...file }: FileToPut,
  body: R2Body,
): Promise<void> {
  const customMetadata: Record<string, string> = uploadedSha256 === null ? {} : { [UPLOADED_HASH]: uploadedSha256 };
  await files.put(storedKey(file), body, { httpMetadata: { contentType: mimeType }, customMetadata });
}

/**
 * Puts a stream, which must have `sizeBytes`.
 * @returns the SHA-256 of the stream, hexadecimal
 * @throws Error if R2 fails or the stream has another length; the stream is cancelled
 */
export async function putStream(
  account: AccountContext,
  file: FileToPut,
  { body, sizeBytes }: { readonly body: ReadableStream<Uint8Array>; readonly sizeBytes: number },
): Promise<string> {
  const { readable, writable } = new FixedLengthStream(sizeBytes);
  const reader = body.getReader({ mode: "byob" });
  const writer = writable.getWriter();
  const stop = async (error: unknown) => {
    await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
    throw error;
  };
  const [stored, copied] = await Promise.allSettled([
    putObject(account, file, readable).catch(stop),
    copyHashed(reader, writer).catch(stop),
  ]);
  if (stored.status === "rejected") throw stored.reason;
  if (copied.status === "rejected") throw copied.reason;
  return copied.value;
}

/** The bytes of a stream that are in memory at a time. */
const COPIED_BYTES = 64 * 1024;

/**
 * Copies a stream through one buffer, because a buffer for each piece would pile up until garbage collection.
 * @returns the SHA-256 of its bytes, hexadecimal
 */
async function copyHashed(
  reader: ReadableStreamBYOBReader,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<string> {
  const hash = createHash("sha256");
  let buffer = new Uint8Array(COPIED_BYTES);
  for (;;) {
    const { bytes, length } = await readInto(reader, buffer, 0);
    const piece = bytes.subarray(0, length);
    hash.update(piece);
    if (length > 0) await writer.write(piece);
    if (length < COPIED_BYTES) break;
    buffer = bytes;
  }
  await writer.close();
  return hash.digest("hex");
}

/** The bytes of a part for R2, as blocks, because R2 would copy a single array. It may be called again. */
export function toR2Body(part: HeldPart): R2Body {
  const [first, second] = part.pieces();
  if (second === undefined) return first ?? new Uint8Array(0);
  return openPieces([part]).pipeThrough(new FixedLengthStream(part.length));
}

/** The bytes of parts as a stream. */
export function openPieces(parts: readonly HeldPart[]): ReadableStream<Uint8Array> {
  const pieces = piecesOf(parts);
  return new ReadableStream({
    pull(controller) {
      const { value, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function* piecesOf(parts: readonly HeldPart[]): Generator<Uint8Array<ArrayBuffer>, undefined> {
  for (const part of parts) yield* part.pieces();
}

/**
 * Sends a file to its end. While one part is sent to R2, the next one is read as far as there is memory.
 * @param first the file's first part
 * @param second its next part, if bytes of it were already read
 * @param send gets one part after the other, and releases it (`sendPart`)
 * @throws ServiceError 413, 503; MultipartError, BodyTooLargeError; Error if R2 fails
 */
export async function sendParts(
  incoming: IncomingFile,
  { first, second }: { readonly first: HeldPart; readonly second?: HeldPart | undefined },
  send: (part: HeldPart) => Promise<void>,
): Promise<void> {
  let begun = second;
  for (let part: HeldPart | undefined = first; part !== undefined; ) {
    const [sent, following]: [PromiseSettledResult<void>, PromiseSettledResult<HeldPart | undefined>] =
      await Promise.allSettled([send(part), readPart(incoming, begun)]);
    begun = undefined;
    // Both operations have ended before an error is thrown, because a part in progress could outlive the abort.
    if (sent.status === "rejected") {
      if (following.status === "fulfilled") following.value?.release({ wasStored: false });
      throw sent.reason;
    }
    if (following.status === "rejected") throw following.reason;
    part = following.value;
  }
}

/** Stores a part in R2 under a number, and releases it in any case. */
export async function sendPart(multipart: R2MultipartUpload, number: number, part: HeldPart): Promise<R2UploadedPart> {
  let wasStored = false;
  try {
    const uploaded = await retryR2(() => multipart.uploadPart(number, toR2Body(part)));
    wasStored = true;
    return uploaded;
  } finally {
    // The client may be slower than R2. A sent part then needs no memory while the next one arrives.
    part.release({ wasStored });
  }
}

/** @param begun a part with the next bytes @returns undefined at the file's end */
async function readPart(incoming: IncomingFile, begun: HeldPart | undefined): Promise<HeldPart | undefined> {
  if (begun === undefined && !(await incoming.more())) return undefined;
  const part = begun ?? incoming.openPart();
  try {
    await incoming.fill(part);
    return part;
  } catch (error) {
    part.release({ wasStored: false });
    throw error;
  }
}
