import { crc32 } from "node:zlib";

const SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, the CRC behind it (PNG, 5.3). */
const HEADER_BYTES = 8;
const FRAME_BYTES = 12;

export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array<ArrayBuffer>;
  /** With length, type and CRC. */
  readonly whole: Uint8Array<ArrayBuffer>;
}

/** The chunks of a PNG up to IEND, or to the first that is cut short. Nothing is copied, no CRC is checked. */
export function* readPngChunks(file: Uint8Array<ArrayBuffer>): Generator<PngChunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= file.length; ) {
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
  const whole = new Uint8Array(FRAME_BYTES + data.length);
  const view = new DataView(whole.buffer);
  view.setUint32(0, data.length);
  whole.set(new TextEncoder().encode(type), 4);
  whole.set(data, HEADER_BYTES);
  view.setUint32(HEADER_BYTES + data.length, crc32(whole.subarray(4, HEADER_BYTES + data.length)));
  return whole;
}
