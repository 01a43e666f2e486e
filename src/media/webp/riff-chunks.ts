const FILE_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

export interface RiffChunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** The chunks of a WebP file up to the first incomplete one (RFC 9649, 2.3). Nothing is copied. */
export function* readRiffChunks(file: Uint8Array): Generator<RiffChunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = FILE_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= file.length; ) {
    const length = view.getUint32(at + 4, true);
    const begin = at + CHUNK_HEADER_BYTES;
    if (begin + length > file.length) return;
    yield { type: String.fromCharCode(...file.subarray(at, at + 4)), data: file.subarray(begin, begin + length) };
    // Chunks of odd length are padded.
    at = begin + length + (length & 1);
  }
}

/** A WebP file of these chunks. */
export function riffFile(chunks: readonly RiffChunk[]): Uint8Array<ArrayBuffer> {
  const sizes = chunks.map(({ data }) => CHUNK_HEADER_BYTES + data.length + (data.length & 1));
  const file = new Uint8Array(sizes.reduce((sum, size) => sum + size, FILE_HEADER_BYTES));
  const view = new DataView(file.buffer);
  const text = (at: number, value: string) => file.set(new TextEncoder().encode(value), at);
  text(0, "RIFF");
  view.setUint32(4, file.length - 8, true);
  text(8, "WEBP");
  let at = FILE_HEADER_BYTES;
  for (const [i, { type, data }] of chunks.entries()) {
    text(at, type);
    view.setUint32(at + 4, data.length, true);
    file.set(data, at + CHUNK_HEADER_BYTES);
    at += sizes[i] ?? 0;
  }
  return file;
}

/** VP8X, the first chunk of an extended file (RFC 9649, 2.7). */
export function extendedHeader(
  flags: number,
  { width, height }: { readonly width: number; readonly height: number },
): RiffChunk {
  const data = new Uint8Array(10);
  const view = new DataView(data.buffer);
  view.setUint8(0, flags);
  view.setUint16(4, (width - 1) & 0xffff, true);
  view.setUint8(6, (width - 1) >> 16);
  view.setUint16(7, (height - 1) & 0xffff, true);
  view.setUint8(9, (height - 1) >> 16);
  return { type: "VP8X", data };
}
