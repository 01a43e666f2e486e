import { EXIF_HEADER_BYTES } from "../exif/exif-header.ts";
import {
  APP0,
  APP1,
  APP2,
  APP14,
  APP15,
  COM,
  EOI,
  ISO_GAIN_MAP,
  RST0,
  RST7,
  SOI,
  SOS,
  TEM,
  XMP,
} from "../jpeg/markers.ts";
import { blankXmp } from "./blank-xmp.ts";
import type { Cursor } from "./cursor.ts";
import { rebuildTiff } from "./rebuild-tiff.ts";
import { PHOTOSHOP, reducePhotoshop } from "./reduce-photoshop.ts";
import { type IsoState, isFilmAhead, newIsoState, scrubIso } from "./scrub-iso.ts";

const MAX_SEGMENT_BYTES = 65_533;
const APP13 = 0xed;
const JFIF_BYTES = 14;
/** Segments of APP2 that decide how a picture is shown: its profile, the index of its pictures, and its gain map (ISO 21496-1). */
const SHOWN_APP2 = ["ICC_PROFILE\0", "MPF\0", ISO_GAIN_MAP];
const EXIF = "Exif\0";
/** Names that decide whether a segment stays. */
const NAMES: ReadonlyMap<number, readonly string[]> = new Map([
  [APP0, ["JFIF\0"]],
  [APP1, [EXIF, XMP]],
  [APP2, SHOWN_APP2],
  [APP13, [PHOTOSHOP]],
  [APP14, ["Adobe"]],
]);
const MAX_NAME_BYTES = Math.max(...[...NAMES.values()].flat().map(({ length }) => length));
/** Names of Samsung's blocks that stay. Other blocks hold depth maps, portrait data and country codes. */
const SHOWN_BLOCK = /^(?:MotionPhoto_[A-Za-z]+|Color_Display_P3|Image_UTC_Data)$/;
const MAX_BLOCK_NAME = 64;
/** The most bytes FF that one step examines. */
const MAX_TRIES = 4;

/**
 * - `segments`: between the segments of a picture
 * - `scan`: within entropy-coded data
 * - `after`: behind a picture; another picture, a film or Samsung's blocks may follow
 * - `block`: within the data of one of Samsung's blocks
 * - `film`: within an MP4
 */
export interface JpegState {
  place: "segments" | "scan" | "after" | "block" | "film";
  keepsBlock: boolean;
  film: IsoState;
}

export function newJpegState(): JpegState {
  return { place: "segments", keepsBlock: false, film: newIsoState() };
}

/**
 * Takes one step through a JPEG (T.81, annex B) and the pictures and films after it (CIPA DC-007, Google's and Samsung's motion photos).
 * @returns false if more bytes are needed
 */
export function scrubJpeg(cursor: Cursor, state: JpegState): boolean {
  switch (state.place) {
    case "segments":
      return segment(cursor, state);
    case "scan":
      return scan(cursor, state);
    case "after":
      return after(cursor, state);
    case "block":
      return block(cursor, state);
    case "film":
      return film(cursor, state);
  }
}

function segment(cursor: Cursor, state: JpegState): boolean {
  cursor.at = cursor.part.indexOf(0xff, cursor.at);
  if (!cursor.has(4)) {
    if (!cursor.has(2) || cursor.byte(1) !== EOI) return false;
  }
  const marker = cursor.byte(1);
  if (marker === 0xff || marker <= TEM || (marker >= RST0 && marker <= RST7)) {
    cursor.at += 1;
    return true;
  }
  if (marker === SOI || marker === EOI) {
    cursor.at += 2;
    if (marker === EOI) state.place = "after";
    return true;
  }
  const begin = cursor.at + 4;
  const end = cursor.at + 2 + Math.max(2, cursor.uint16(2));
  const isMetadata = (marker >= APP0 && marker <= APP15) || marker === COM;
  if (isMetadata) {
    const name = cursor.text(4, Math.min(MAX_NAME_BYTES, end - begin, cursor.part.end - begin));
    // If the part ends within the name of a known kind, the next part decides. Only bytes of that name are stored before.
    const mayBe = (known: string) => known.length > name.length && known.startsWith(name);
    if (end > cursor.part.end && NAMES.get(marker)?.some(mayBe)) return false;
    reduce(cursor, { marker, name, begin, end });
  }
  if (marker === SOS) state.place = "scan";
  cursor.at = end;
  return true;
}

interface Segment {
  readonly marker: number;
  /** The content's first bytes, as far as they have arrived. */
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

function reduce(cursor: Cursor, { marker, name, begin, end }: Segment): void {
  const { mode } = cursor;
  if (marker === APP0 && name.startsWith("JFIF\0")) {
    cursor.wipe(Math.min(begin + JFIF_BYTES, end), end);
  } else if (marker === APP1 && name.startsWith(EXIF)) {
    const at = Math.min(end, begin + EXIF_HEADER_BYTES);
    cursor.edit(at, end, MAX_SEGMENT_BYTES, (bytes) => rebuildTiff(bytes, mode));
  } else if (marker === APP1 && name.startsWith(XMP)) {
    cursor.edit(begin + XMP.length, end, MAX_SEGMENT_BYTES, (bytes) => blankXmp(bytes, mode), 0x20);
  } else if (marker === APP13 && mode === "private" && name.startsWith(PHOTOSHOP)) {
    cursor.edit(begin, end, MAX_SEGMENT_BYTES, reducePhotoshop);
  } else if (!isShown(marker, name) && !(marker === COM && mode === "private")) {
    cursor.wipe(begin, end);
  }
}

function isShown(marker: number, name: string): boolean {
  if (marker === APP14) return name.startsWith("Adobe");
  return marker === APP2 && SHOWN_APP2.some((shown) => name.startsWith(shown));
}

/** Skips the entropy-coded data. It ends at the first marker that is not a restart (B.1.1.5). */
function scan(cursor: Cursor, state: JpegState): boolean {
  const { part } = cursor;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    cursor.at = part.indexOf(0xff, cursor.at);
    if (!cursor.has(2)) return false;
    const next = cursor.byte(1);
    if (next === 0xff) cursor.at += 1;
    else if (next === 0 || (next >= RST0 && next <= RST7)) cursor.at += 2;
    else {
      state.place = "segments";
      return true;
    }
  }
  return true;
}

/** Overwrites bytes that belong to no known structure, because programs store metadata, depth maps and originals there. */
function after(cursor: Cursor, state: JpegState): boolean {
  if (!cursor.has(8)) return false;
  if (cursor.byte(0) === 0xff && cursor.byte(1) === SOI && cursor.byte(2) === 0xff) {
    cursor.at += 2;
    state.place = "segments";
  } else if (isFilmAhead(cursor)) {
    state.film = newIsoState();
    state.place = "film";
  } else {
    const header = readBlockHeader(cursor);
    if (header === "incomplete") return false;
    if (header !== undefined) openBlock(cursor, state, header);
    else if (cursor.text(0, 4) === "SEFH") return directory(cursor);
    else skipUnknown(cursor, true);
  }
  return true;
}

/** Moves to the next bytes that may begin a structure. */
function skipUnknown(cursor: Cursor, wipes: boolean): void {
  const from = cursor.at;
  cursor.at = cursor.part.find(from + 1, mayBegin);
  if (wipes) cursor.wipe(from, cursor.at);
}

/** Whether a picture, a film, or one of Samsung's blocks or its directory may begin with these bytes. */
function mayBegin(bytes: Uint8Array, at: number): boolean {
  switch (bytes[at]) {
    case 0xff:
      return bytes[at + 1] === SOI && bytes[at + 2] === 0xff;
    case 0:
      return bytes[at + 1] === 0 && (bytes[at + 3] === 0x0a || bytes[at + 4] === 0x66);
    case 0x53:
      return bytes[at + 1] === 0x45 && bytes[at + 2] === 0x46;
    default:
      return false;
  }
}

interface BlockHeader {
  readonly name: string;
  readonly bytes: number;
}

/** A block of Samsung's trailer: two zeros, its type, the length of its name, its name. */
function readBlockHeader(cursor: Cursor): BlockHeader | "incomplete" | undefined {
  const length = cursor.uint32LE(4);
  if (cursor.uint16(0) !== 0 || cursor.byte(3) !== 0x0a || length === 0 || length > MAX_BLOCK_NAME) return undefined;
  if (!cursor.has(8 + length)) return "incomplete";
  const name = cursor.text(8, length);
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? { name, bytes: 8 + length } : undefined;
}

function openBlock(cursor: Cursor, state: JpegState, { name, bytes }: BlockHeader): void {
  cursor.at += bytes;
  // A time is metadata, which `none` removes.
  state.keepsBlock = SHOWN_BLOCK.test(name) && (cursor.mode === "private" || name !== "Image_UTC_Data");
  state.place = "block";
}

function block(cursor: Cursor, state: JpegState): boolean {
  if (!cursor.has(8)) return false;
  const header = readBlockHeader(cursor);
  if (header === "incomplete") return false;
  if (header !== undefined || cursor.text(0, 4) === "SEFH" || (state.keepsBlock && isFilmAhead(cursor))) {
    state.place = "after";
  } else skipUnknown(cursor, !state.keepsBlock);
  return true;
}

/** Samsung's directory of the blocks, which has only positions and lengths. */
function directory(cursor: Cursor): boolean {
  if (!cursor.has(12)) return false;
  const bytes = 12 + 12 * Math.min(1000, cursor.uint32LE(8)) + 8;
  cursor.at += bytes;
  return true;
}

function film(cursor: Cursor, state: JpegState): boolean {
  const step = scrubIso(cursor, state.film);
  if (step === "end") state.place = "after";
  return step !== "more";
}
