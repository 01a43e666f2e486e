/** WHATWG Streams, "ReadableStreamBYOBReader"; the platform's types lack the option. */
interface ReaderOfAtLeast {
  read(
    view: Uint8Array<ArrayBuffer>,
    options: { readonly min: number },
  ): Promise<{ readonly value?: Uint8Array<ArrayBuffer>; readonly done: boolean }>;
}

/** Bytes that are read before other requests get the thread: reading 16 MB at once held it for 200 ms longer. */
const SLICE_BYTES = 1024 * 1024;

/** A partly filled buffer. */
export interface Filling {
  /** Replaces the buffer that was passed in. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
}

/**
 * Fills a buffer from a byte stream. `min` lets the runtime return full slices: streams between Workers arrive in
 * pieces of 4 KB, and a call for each takes three times as long.
 * @param filled bytes that the buffer already holds
 * @returns fewer bytes than the buffer if the stream ends first
 * @throws Error if the stream breaks
 */
export async function readInto(
  reader: ReadableStreamBYOBReader,
  buffer: Uint8Array<ArrayBuffer>,
  filled: number,
): Promise<Filling> {
  let bytes = buffer;
  let length = filled;
  while (length < bytes.length) {
    const left = bytes.subarray(length, length + SLICE_BYTES);
    const { value, done } = await (reader as unknown as ReaderOfAtLeast).read(left, { min: left.length });
    if (value !== undefined) {
      bytes = new Uint8Array(value.buffer);
      length += value.length;
    }
    if (done) break;
    if (length < bytes.length) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { bytes, length };
}

/** Whether a stream has ended. If it has not, this loses a byte of it. */
export async function hasEnded(reader: ReadableStreamBYOBReader): Promise<boolean> {
  return (await reader.read(new Uint8Array(1))).done;
}
