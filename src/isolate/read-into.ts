/** As the standard has it (WHATWG Streams, "ReadableStreamBYOBReader"); the platform's types lack the option. */
interface ReaderOfAtLeast {
  read(
    view: Uint8Array<ArrayBuffer>,
    options: { readonly min: number },
  ): Promise<{ readonly value?: Uint8Array<ArrayBuffer>; readonly done: boolean }>;
}

/** What is read before others get the thread: filled in one go, 16 MB kept it for 200 ms longer. */
const SLICE_BYTES = 1024 * 1024;

/** As much of a buffer as is filled. */
export interface Filling {
  /** In place of the buffer that was handed over. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly length: number;
}

/**
 * Fills a buffer from a byte stream. The runtime is told to come back when a slice is full: what is sent from one Worker to another comes
 * in pieces of 4 KB, and to be called for each takes three times as long.
 * @param filled how much of it there is already
 * @returns less than all where the stream ends before
 * @throws Error where the stream breaks off
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

/** Whether a stream has ended. Where it has not, a byte of it is lost. */
export async function hasEnded(reader: ReadableStreamBYOBReader): Promise<boolean> {
  return (await reader.read(new Uint8Array(1))).done;
}
