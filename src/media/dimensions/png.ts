import type { Dimensions } from "../dimensions.ts";
import { readTiffOrientation } from "./exif-orientation.ts";

const SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data. */
const CHUNK_HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;
const IHDR_WIDTH = 16;
const IHDR_HEIGHT = 20;
const IDAT = 0x49444154;
const EXIF = 0x65584966;
/** PNG, 7.1: greater numbers are not valid. */
const MAX_NUMBER = 0x7fffffff;
const MAX_CHUNKS = 10_000;

/** PNG, 11.2.1: IHDR, turned as an eXIf chunk says. */
export function readPngDimensions(view: DataView): Dimensions | undefined {
  if (view.byteLength < IHDR_HEIGHT + 4) return undefined;
  const width = view.getUint32(IHDR_WIDTH);
  const height = view.getUint32(IHDR_HEIGHT);
  if (width > MAX_NUMBER || height > MAX_NUMBER) return undefined;
  return findOrientation(view) >= 5 ? { width: height, height: width } : { width, height };
}

/** Browsers heed an eXIf chunk only where it comes before the image data. */
function findOrientation(view: DataView): number {
  let at = SIGNATURE_BYTES;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + CHUNK_HEADER_BYTES <= view.byteLength; chunks++) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (type === IDAT) break;
    if (type === EXIF) return readTiffOrientation(view, at + CHUNK_HEADER_BYTES, length) ?? 1;
    at += CHUNK_HEADER_BYTES + length + CHECKSUM_BYTES;
  }
  return 1;
}
