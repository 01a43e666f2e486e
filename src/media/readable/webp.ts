import { type RiffChunk, readRiffChunks } from "../webp/riff-chunks.ts";

const FILE_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

/** RFC 9649, 2.5 to 2.7: a frame that begins as its bitstream must. Undefined where the bytes end before. */
export function hasWebpFrame(head: Uint8Array): boolean | undefined {
  let end = FILE_HEADER_BYTES;
  for (const chunk of readRiffChunks(head)) {
    if (isPicture(chunk.type)) return beginsAFrame(chunk);
    end += CHUNK_HEADER_BYTES + chunk.data.length + (chunk.data.length & 1);
  }
  const cutShort = head.subarray(end);
  const type = String.fromCharCode(...cutShort.subarray(0, 4));
  if (!isPicture(type) || cutShort.length <= CHUNK_HEADER_BYTES + 10) return undefined;
  return beginsAFrame({ type, data: cutShort.subarray(CHUNK_HEADER_BYTES) });
}

function isPicture(type: string): boolean {
  return type === "VP8 " || type === "VP8L" || type === "ANMF";
}

/** RFC 6386, 9.1: the start code of a key frame. RFC 9649, 3.4: the signature of a lossless picture. */
function beginsAFrame({ type, data }: RiffChunk): boolean {
  if (type === "VP8L") return data[0] === 0x2f && data.length > 5;
  if (type === "VP8 ") return data[3] === 0x9d && data[4] === 0x01 && data[5] === 0x2a && data.length > 10;
  return data.length > 0;
}
