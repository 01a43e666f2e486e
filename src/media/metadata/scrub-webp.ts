import { blankXmp } from "./blank-xmp.ts";
import { type Cursor, MAX_EDITED_BYTES } from "./cursor.ts";
import { rebuildTiff } from "./rebuild-tiff.ts";

const RIFF_HEADER_BYTES = 12;
const HEADER_BYTES = 8;
const EXIF_PREFIX = "Exif\0\0";
const SHOWN = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);

export interface WebpState {
  isOpened: boolean;
}

export function newWebpState(): WebpState {
  return { isOpened: false };
}

/**
 * Takes one step through a WebP's chunks (RFC 9649, 2.3). The content of an unknown chunk is overwritten.
 * @returns false if more bytes are needed
 */
export function scrubWebp(cursor: Cursor, state: WebpState): boolean {
  if (!state.isOpened) {
    cursor.at += RIFF_HEADER_BYTES;
    state.isOpened = true;
  }
  if (!cursor.has(HEADER_BYTES)) return false;
  const type = cursor.text(0, 4);
  if (!/^[\x20-\x7e]{4}$/.test(type)) {
    cursor.stop();
    return true;
  }
  const { mode } = cursor;
  const length = cursor.uint32LE(4);
  const begin = cursor.at + HEADER_BYTES;
  const end = begin + length;
  if (type === "EXIF") {
    if (!cursor.has(HEADER_BYTES + Math.min(EXIF_PREFIX.length, length))) return false;
    const prefix = cursor.text(HEADER_BYTES, Math.min(6, length)) === EXIF_PREFIX ? EXIF_PREFIX.length : 0;
    cursor.edit(begin + prefix, end, MAX_EDITED_BYTES, (bytes) => rebuildTiff(bytes, mode));
  } else if (type === "XMP ") {
    cursor.edit(begin, end, MAX_EDITED_BYTES, (bytes) => blankXmp(bytes, mode), 0x20);
  } else if (!SHOWN.has(type)) cursor.wipe(begin, end);
  cursor.at = end + (length & 1);
  return true;
}
