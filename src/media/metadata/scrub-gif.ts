import { blankXmp } from "./blank-xmp.ts";
import type { Cursor } from "./cursor.ts";

const HEADER_BYTES = 13;
const IMAGE_BYTES = 10;
const [EXTENSION, IMAGE] = [0x21, 0x2c];
const [GRAPHIC_CONTROL, PLAIN_TEXT, COMMENT, APPLICATION] = [0xf9, 0x01, 0xfe, 0xff];
const APPLICATION_BYTES = 14;
const XMP = "XMP DataXMP";
/** Applications whose data decide how a picture is shown: repetitions and the profile. */
const SHOWN = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
/** Larger metadata is overwritten. */
const MAX_EDITED_BYTES = 1024 * 1024;

/** - `blocks`: between blocks. - `kept`, `wiped`: within the sub-blocks of one. `wiped` ones are overwritten with this value. */
export interface GifState {
  place: "header" | "blocks" | "kept" | "wiped";
  value: number;
  /** Whether a packet without an end was met: the search for the ends of others would take too long. */
  isCut: boolean;
}

export function newGifState(): GifState {
  return { place: "header", value: 0, isCut: false };
}

/**
 * Takes one step through a GIF (GIF89a, 17 to 27).
 * @returns false if more bytes are needed
 */
export function scrubGif(cursor: Cursor, state: GifState): boolean {
  if (state.place === "header") {
    if (!cursor.has(HEADER_BYTES)) return false;
    cursor.at += HEADER_BYTES + tableBytes(cursor.byte(10));
    state.place = "blocks";
    return true;
  }
  return state.place === "blocks" ? block(cursor, state) : subBlock(cursor, state);
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function block(cursor: Cursor, state: GifState): boolean {
  if (!cursor.has(2)) return false;
  const kind = cursor.byte(0);
  if (kind === IMAGE) {
    if (!cursor.has(IMAGE_BYTES)) return false;
    // The minimum code size follows the colours.
    cursor.at += IMAGE_BYTES + tableBytes(cursor.byte(9)) + 1;
    state.place = "kept";
    return true;
  }
  if (kind !== EXTENSION) {
    cursor.stop();
    return true;
  }
  const label = cursor.byte(1);
  if (label !== APPLICATION) {
    const isKept =
      label === GRAPHIC_CONTROL || label === PLAIN_TEXT || (label === COMMENT && cursor.mode === "private");
    open(cursor, state, 2, isKept);
    return true;
  }
  if (!cursor.has(APPLICATION_BYTES)) return false;
  const name = cursor.text(3, 11);
  if (cursor.byte(2) !== 11) open(cursor, state, 2, false);
  else if (name === XMP) xmp(cursor, state);
  else open(cursor, state, APPLICATION_BYTES, SHOWN.has(name));
  return true;
}

function open(cursor: Cursor, state: GifState, bytes: number, isKept: boolean, value = 0): void {
  cursor.at += bytes;
  state.place = isKept ? "kept" : "wiped";
  state.value = value;
}

function subBlock(cursor: Cursor, state: GifState): boolean {
  if (!cursor.has(1)) return false;
  const length = cursor.byte(0);
  if (state.place === "wiped") cursor.wipe(cursor.at + 1, cursor.at + 1 + length, state.value);
  cursor.at += 1 + length;
  if (length === 0) state.place = "blocks";
  return true;
}

/**
 * The packet is not in sub-blocks: its bytes are read as their lengths, and 258 bytes after it end the block from any of them (XMP, part 3,
 * 1.1.2). So each byte may change, but not into 0.
 */
function xmp(cursor: Cursor, state: GifState): void {
  const { part, mode } = cursor;
  if (state.isCut) {
    open(cursor, state, APPLICATION_BYTES, false, 0x20);
    return;
  }
  const begin = cursor.at + APPLICATION_BYTES;
  // The trailer begins with 1 FF FE.
  const limit = Math.min(part.end, begin + MAX_EDITED_BYTES);
  let end = part.indexOf(1, begin, limit);
  while (end < limit && !(part.byte(end + 1) === 0xff && part.byte(end + 2) === 0xfe))
    end = part.indexOf(1, end + 1, limit);
  if (begin < part.start || end === limit || end + 258 > part.end) {
    state.isCut = true;
    open(cursor, state, APPLICATION_BYTES, false, 0x20);
    return;
  }
  part.edit(begin, end - begin, (bytes) => blankXmp(bytes, mode));
  cursor.at = end + 258;
  state.place = "blocks";
}
