import type { AccountContext } from "../../context.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { IdentifiedFile } from "./stored-file.ts";

/** What R2 takes as one object, or one part of it. */
export type R2Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Puts a file's object into R2 in one go; what was there before stays until then.
 * @throws Error if R2 fails, or the body does not bring what it promised
 */
export async function putObject(
  { files }: AccountContext,
  { objectKey, mimeType }: IdentifiedFile,
  body: R2Body,
): Promise<void> {
  await files.put(objectKey, body, { httpMetadata: { contentType: mimeType } });
}

/**
 * Puts what a stream brings, which must be `sizeBytes`.
 * @throws Error if R2 fails or the stream brings more or less; the stream is cancelled then
 */
export async function putStream(
  account: AccountContext,
  file: IdentifiedFile,
  { body, sizeBytes }: { readonly body: ReadableStream<Uint8Array>; readonly sizeBytes: number },
): Promise<void> {
  const unwanted = new AbortController();
  try {
    await putObject(account, file, body.pipeThrough(new FixedLengthStream(sizeBytes), { signal: unwanted.signal }));
  } catch (error) {
    unwanted.abort(error);
    throw error;
  }
}

/** The bytes of a part for R2, which would make a copy of them if they came in one piece. It may be called again. */
export function toR2Body(part: HeldPart): R2Body {
  const [first, second] = part.pieces();
  if (second === undefined) return first ?? new Uint8Array(0);
  return openPieces([part]).pipeThrough(new FixedLengthStream(part.length));
}

/** The bytes of parts as a stream, from the first one. */
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
