import { crc32 } from "node:zlib";
import { concatBytes } from "../bytes.ts";

/** The beginning of every PNG (PNG, 5.2). */
export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** A chunk has length and type before its data, and the CRC after it (PNG, 5.3). */
const HEADER_BYTES = 8;
const FRAME_BYTES = 12;

export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array<ArrayBuffer>;
  /** Includes length, type and CRC. */
  readonly whole: Uint8Array<ArrayBuffer>;
}

/** The chunks of a PNG up to IEND or the first incomplete chunk. Nothing is copied, and no CRC is checked. */
export function* readPngChunks(file: Uint8Array<ArrayBuffer>): Generator<PngChunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = PNG_SIGNATURE.length; at + FRAME_BYTES <= file.length; ) {
    const length = view.getUint32(at);
    const end = at + FRAME_BYTES + length;
    if (end > file.length) return;
    const type = String.fromCharCode(...file.subarray(at + 4, at + HEADER_BYTES));
    yield { type, data: file.subarray(at + HEADER_BYTES, end - 4), whole: file.subarray(at, end) };
    if (type === "IEND") return;
    at = end;
  }
}

export function pngChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes(pngChunkPieces(type, [data]));
}

/** A chunk whose data is in pieces. The data is not copied. */
export function pngChunkPieces(type: string, data: readonly Uint8Array[]): Uint8Array[] {
  const head = new Uint8Array(HEADER_BYTES);
  new DataView(head.buffer).setUint32(
    0,
    data.reduce((sum, { length }) => sum + length, 0),
  );
  head.set(new TextEncoder().encode(type), 4);
  const crc = new Uint8Array(4);
  new DataView(crc.buffer).setUint32(
    0,
    data.reduce((sum, piece) => crc32(piece, sum), crc32(head.subarray(4))),
  );
  return [head, ...data, crc];
}
