import { inflateSync, constants as zlib } from "node:zlib";
import { readPngChunks } from "../png/png-chunks.ts";

const SIGNATURE_BYTES = 8;
const CHUNK_HEADER_BYTES = 8;
/** Enough to tell compressed data from anything else; unpacks to half a megabyte at the most. */
const PROBE_BYTES = 512;

/** PNG, 11.2.3: image data that can be unpacked, at its beginning. Undefined where the bytes end before. */
export function hasPngData(head: Uint8Array<ArrayBuffer>): boolean | undefined {
  const data = firstImageData(head);
  if (data === undefined) return undefined;
  try {
    return inflateSync(data.subarray(0, PROBE_BYTES), { finishFlush: zlib.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false;
  }
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
