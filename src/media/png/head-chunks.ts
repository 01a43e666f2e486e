import { PNG_SIGNATURE } from "./png-chunks.ts";

/** Length and type before a chunk's data, the CRC behind it (PNG, 5.3). */
const HEADER_BYTES = 8;
const CRC_BYTES = 4;
/** A file may hold millions that are empty. */
const MAX_CHUNKS = 20_000;

export interface HeadChunk {
  readonly type: string;
  /** As far as it is at hand. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** With length, type and CRC, as far as they are at hand. */
  readonly whole: Uint8Array<ArrayBuffer>;
  /** Whether it ends within the bytes at hand. */
  readonly isComplete: boolean;
}

/** The chunks in a PNG's first bytes, with the last one that is cut short. Nothing is copied, no CRC is checked. */
export function* walkHeadChunks(bytes: Uint8Array<ArrayBuffer>): Generator<HeadChunk, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = PNG_SIGNATURE.length;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + HEADER_BYTES <= bytes.length; chunks++) {
    const begin = at + HEADER_BYTES;
    const dataEnd = begin + view.getUint32(at);
    const end = dataEnd + CRC_BYTES;
    yield {
      type: String.fromCharCode(...bytes.subarray(at + 4, begin)),
      data: bytes.subarray(begin, dataEnd),
      whole: bytes.subarray(at, end),
      isComplete: end <= bytes.length,
    };
    at = end;
  }
}
