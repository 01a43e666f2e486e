import type { AccountContext } from "../context.ts";
import type { IdentifiedFile } from "./stored-file.ts";

const SLICE_BYTES = 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Puts a file's object into R2 in one go; what was there before stays until then.
 * @param body a stream is cancelled where this fails
 * @throws Error where R2 fails, or the stream does not bring `sizeBytes`
 */
export async function putObject(
  { files }: AccountContext,
  { objectKey, mimeType }: IdentifiedFile,
  body: Bytes | ReadableStream<Uint8Array>,
  sizeBytes: number,
): Promise<void> {
  const unwanted = new AbortController();
  const sent = toSendable(body, sizeBytes, unwanted.signal);
  try {
    await files.put(objectKey, sent, { httpMetadata: { contentType: mimeType } });
  } catch (error) {
    unwanted.abort(error);
    throw error;
  }
}

function toSendable(
  body: Bytes | ReadableStream<Uint8Array>,
  sizeBytes: number,
  signal: AbortSignal,
): Bytes | ReadableStream<Uint8Array> {
  if (!(body instanceof Uint8Array)) return body.pipeThrough(new FixedLengthStream(sizeBytes), { signal });
  return body.length > SLICE_BYTES ? streamOf(body) : body;
}

/** The bytes a slice at a time: R2 would make a copy of them all. */
function streamOf(bytes: Bytes): ReadableStream<Uint8Array> {
  let at = 0;
  const slices = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
      if (at >= bytes.length) controller.close();
    },
  });
  return slices.pipeThrough(new FixedLengthStream(bytes.length));
}
