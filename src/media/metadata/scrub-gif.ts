import { blankXmp } from "./blank-xmp.ts";
import { type Cursor, MAX_EDITED_BYTES } from "./cursor.ts";
import type { PartBytes } from "./part-bytes.ts";

const HEADER_BYTES = 13;
const IMAGE_BYTES = 10;
const [EXTENSION, IMAGE] = [0x21, 0x2c];
const [GRAPHIC_CONTROL, PLAIN_TEXT, COMMENT, APPLICATION] = [0xf9, 0x01, 0xfe, 0xff];
const APPLICATION_BYTES = 14;
const XMP = "XMP DataXMP";
/** 1, FF to 0, and a last 0 (XMP, part 3, 1.1.2). */
const TRAILER_BYTES = 258;
/** Applications whose data decide how a picture is shown: repetitions and the profile. */
const SHOWN = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

/**
 * - `header`: before the first block
 * - `blocks`: between blocks
 * - `kept`: within the sub-blocks of a block that stays
 * - `wiped`: within the sub-blocks of a block that is overwritten
 */
export interface GifState {
  place: "header" | "blocks" | "kept" | "wiped";
  /** The new value of the bytes of `wiped` sub-blocks. */
  value: number;
  /** Whether an XMP packet had no end in its part. Later packets are then overwritten, because searches for their ends would take too long. */
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
 * Edits an XMP packet. It is not in sub-blocks: a decoder that skips it reads its bytes as lengths of sub-blocks, and reaches the end of the
 * block through the 258 bytes of the trailer (XMP, part 3, 1.1.2). So each byte may change, but not into 0, which would end the block.
 */
function xmp(cursor: Cursor, state: GifState): void {
  const { part, mode } = cursor;
  if (state.isCut) {
    open(cursor, state, APPLICATION_BYTES, false, 0x20);
    return;
  }
  const begin = cursor.at + APPLICATION_BYTES;
  const limit = Math.min(part.end, begin + MAX_EDITED_BYTES);
  const end = findTrailer(part, begin, limit);
  if (begin < part.start || end === limit || end + TRAILER_BYTES > part.end) {
    state.isCut = true;
    open(cursor, state, APPLICATION_BYTES, false, 0x20);
    return;
  }
  part.edit(begin, end - begin, (bytes) => blankXmp(bytes, mode));
  cursor.at = end + TRAILER_BYTES;
  state.place = "blocks";
}

/** @returns the position of the trailer, which begins with 1 FF FE; `end` if there is none */
function findTrailer(part: PartBytes, from: number, end: number): number {
  for (let at = part.indexOf(0xff, from + 1, end); at < end; at = part.indexOf(0xff, at + 1, end)) {
    if (part.byte(at - 1) === 1 && part.byte(at + 1) === 0xfe) return at - 1;
  }
  return end;
}
