import { inflateSync, constants as zlib } from "node:zlib";
import { readPngChunks } from "../png/png-chunks.ts";

const SIGNATURE_BYTES = 8;
const CHUNK_HEADER_BYTES = 8;
/** Enough to tell compressed data from anything else; unpacks to half a megabyte at the most. */
const PROBE_BYTES = 512;

const PALETTE = 3;
/** PNG, 11.2.1, table 11.1: bit depths by colour type. */
const BIT_DEPTHS = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [PALETTE, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);
const MAX_SIDE = 0x7fffffff;

/**
 * PNG, 11.2: a header that the standard knows, and image data that can be unpacked, at its beginning. Undefined where the
 * bytes end before.
 */
export function hasPngData(head: Uint8Array<ArrayBuffer>): boolean | undefined {
  if (!hasKnownHeader(head)) return false;
  const data = firstImageData(head);
  if (data === undefined) return undefined;
  if (head[25] === PALETTE && !hasPalette(head)) return false;
  try {
    return inflateSync(data.subarray(0, PROBE_BYTES), { finishFlush: zlib.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false;
  }
}

/** PNG, 11.2.1: decoders refuse any other. */
function hasKnownHeader(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isSide = (pixels: number) => pixels > 0 && pixels <= MAX_SIDE;
  const [bitDepth = 0, colourType = 0, compression, filter, interlace = 0] = head.subarray(24, 29);
  return (
    isSide(view.getUint32(16)) &&
    isSide(view.getUint32(20)) &&
    BIT_DEPTHS.get(colourType)?.includes(bitDepth) === true &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1
  );
}

/** PNG, 11.2.2: it comes before the image data. */
function hasPalette(head: Uint8Array<ArrayBuffer>): boolean {
  for (const { type } of readPngChunks(head)) {
    if (type === "PLTE") return true;
    if (type === "IDAT") return false;
  }
  return false;
}

/** The data of the first IDAT chunk that is not empty, as far as it goes. */
function firstImageData(head: Uint8Array<ArrayBuffer>): Uint8Array | undefined {
  let end = SIGNATURE_BYTES;
  for (const { type, data, whole } of readPngChunks(head)) {
    if (type === "IDAT" && data.length > 0) return data;
    end += whole.length;
  }
  const cutShort = head.subarray(end);
  const isImageData = String.fromCharCode(...cutShort.subarray(4, CHUNK_HEADER_BYTES)) === "IDAT";
  return isImageData && cutShort.length > CHUNK_HEADER_BYTES ? cutShort.subarray(CHUNK_HEADER_BYTES) : undefined;
}
