// Pages that only upload files do not load this module. It imports nothing, so that they load nothing else with it.

/** A web stream, a stream of Node, or any other iteration over bytes. */
export type UploadStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A stream as a file that is read once, from its beginning. */
export interface StreamedFile {
  /** Known after the stream has ended. */
  readonly size: number | undefined;
  /**
   * @param from within the slice that was read last, or its end
   * @returns the bytes from there to the slice's end, or the next slice
   * @throws TypeError if the stream gives no bytes; the stream's error; the signal's reason
   */
  read(from: number): Promise<Blob>;
  /** Releases the stream; its source stops. */
  close(): void;
}

/** A Worker has 128 MB, and the service takes parts of this size. */
const HELD_BYTES = 8 * 1024 * 1024;

/** Opens a stream. It keeps the last slice, so that the slice can be sent again. @throws TypeError if another reader has locked the stream */
export function openStream(stream: UploadStream, signal: AbortSignal | undefined): StreamedFile {
  const reader = "getReader" in stream ? stream.getReader() : undefined;
  const iterator = reader ? { next: () => reader.read() } : (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const buffer = new Uint8Array(HELD_BYTES);
  /** Bytes that were read and are not in a slice yet; empty when the stream has ended. */
  let ahead: Uint8Array | undefined;
  let held = new Blob();
  let start = 0;
  let size: number | undefined;

  /** An aborted upload does not wait for a source that sends nothing. */
  const readOnce = () =>
    new Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>((resolve, reject) => {
      const abort = () => reject(signal?.reason);
      signal?.addEventListener("abort", abort);
      iterator
        .next()
        .then(resolve, reject)
        .then(() => signal?.removeEventListener("abort", abort));
      if (signal?.aborted) abort();
    });

  /** @returns the next bytes; nothing at the end */
  const next = async () => {
    for (;;) {
      const { done, value } = await readOnce();
      const bytes = done ? new Uint8Array() : toBytes(value);
      if (done || bytes.length > 0) return bytes;
    }
  };

  return {
    get size() {
      return size;
    },
    async read(from) {
      const end = start + held.size;
      if (from < start || from > end) throw new RangeError("The service lost bytes that it had acknowledged");
      if (from < end || size !== undefined) return held.slice(from - start);
      let filled = 0;
      ahead ??= await next();
      while (ahead.length > 0 && filled < HELD_BYTES) {
        const piece = ahead.subarray(0, HELD_BYTES - filled);
        // The pieces are copied into one buffer, because many small pieces take more memory than their bytes.
        buffer.set(piece, filled);
        filled += piece.length;
        ahead = piece.length < ahead.length ? ahead.subarray(piece.length) : await next();
      }
      held = new Blob([buffer.subarray(0, filled)]);
      start = from;
      if (ahead.length === 0) size = from + filled;
      return held;
    },
    close() {
      const { destroy } = stream as { destroy?: () => void };
      if (destroy) destroy.call(stream);
      else (reader?.cancel() ?? (iterator as AsyncIterator<unknown>).return?.())?.catch(() => undefined);
    },
  };
}

function toBytes(piece: unknown): Uint8Array {
  if (ArrayBuffer.isView(piece)) return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  throw new TypeError(`Pass a stream of bytes (Uint8Array), not of ${typeof piece}`);
}
