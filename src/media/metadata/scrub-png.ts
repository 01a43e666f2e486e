import { crc32 } from "node:zlib";
import { blankXmp } from "./blank-xmp.ts";
import { type Cursor, MAX_EDITED_BYTES } from "./cursor.ts";
import { rebuildTiff } from "./rebuild-tiff.ts";

const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 8;
/** Ancillary chunks that decide how a picture is shown (PNG, 11.3; APNG). Critical chunks always stay. */
const SHOWN = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT oFFs sCAL acTL fcTL fdAT".split(" "),
);
const TEXTS = new Set(["tEXt", "zTXt", "iTXt"]);
const MAX_KEYWORD_BYTES = 79;
const XMP_KEYWORD = "XML:com.adobe.xmp";
/** Keywords that hold whole blocks of metadata or name a place or a person, as ImageMagick writes them (`exif:GPSLatitude`). */
const PRIVATE_KEYWORD =
  /raw profile type|xmp|gps|latitude|longitude|altitude|location|serial|owner|makernote|thumb|^(?:exif|iptc|app1)$/i;
/** The type of emptied chunks: ancillary, private, safe to copy (PNG, 5.4), and defined by no program. */
const EMPTY_TYPE = "voId";

export interface PngState {
  isOpened: boolean;
  isEnded: boolean;
  /** The position of the CRC that must be written; 0 if there is none. */
  crcAt: number;
  /** The CRC of the chunk's bytes before `zerosFrom`. */
  crc: number;
  /** The position from which on the chunk's data is zero. */
  zerosFrom: number;
}

export function newPngState(): PngState {
  return { isOpened: false, isEnded: false, crcAt: 0, crc: 0, zerosFrom: 0 };
}

/**
 * Takes one step through a PNG (PNG, 5.3). The CRC of a changed chunk is computed again.
 * @returns false if more bytes are needed
 */
export function scrubPng(cursor: Cursor, state: PngState): boolean {
  if (!state.isOpened) {
    cursor.at += SIGNATURE_BYTES;
    state.isOpened = true;
  }
  // Bytes after the end, such as the rest of a cropped picture, belong to no image.
  if (state.isEnded) {
    cursor.wipe(cursor.at, cursor.part.end);
    cursor.at = cursor.part.end;
    return false;
  }
  if (state.crcAt > 0) return writeCrc(cursor, state);
  if (!cursor.has(HEADER_BYTES)) return false;
  const type = cursor.text(4, 4);
  if (!/^[A-Za-z]{4}$/.test(type)) {
    cursor.stop();
    return true;
  }
  const dataAt = cursor.at + HEADER_BYTES;
  const end = dataAt + cursor.uint32(0);
  state.isEnded = type === "IEND";
  if (type === "eXIf") edit(cursor, state, { type, dataAt, end }, (bytes) => rebuildTiff(bytes, cursor.mode));
  else if (TEXTS.has(type)) {
    // A text that continues in the next part is emptied at once. Otherwise bytes would be stored before the text is judged.
    if (end <= cursor.part.end) text(cursor, state, { type, dataAt, end });
    else empty(cursor, state, { type, dataAt, end });
  } else if (isAncillary(type) && !SHOWN.has(type) && !(type === "tIME" && cursor.mode === "private")) {
    empty(cursor, state, { type, dataAt, end });
  } else cursor.at = end + 4;
  return true;
}

interface Chunk {
  readonly type: string;
  readonly dataAt: number;
  readonly end: number;
}

function isAncillary(type: string): boolean {
  return type.charCodeAt(0) >= 0x61;
}

function text(cursor: Cursor, state: PngState, chunk: Chunk): void {
  const { mode } = cursor;
  const start = cursor.text(HEADER_BYTES, Math.min(MAX_KEYWORD_BYTES + 3, chunk.end - chunk.dataAt));
  const keyword = start.slice(0, Math.max(0, start.indexOf("\0")));
  const isPlain = start.charCodeAt(keyword.length + 1) === 0;
  if (chunk.type === "iTXt" && keyword === XMP_KEYWORD && isPlain) {
    edit(cursor, state, chunk, (bytes) => {
      const at = xmpAt(bytes);
      if (at === undefined) bytes.fill(0);
      else blankXmp(bytes.subarray(at), mode);
    });
  } else if (mode === "none" || keyword === "" || PRIVATE_KEYWORD.test(keyword)) empty(cursor, state, chunk);
  else cursor.at = chunk.end + 4;
}

/** The packet follows the keyword, two bytes about compression, the language and the translated keyword (PNG, 11.3.3.4). */
function xmpAt(bytes: Uint8Array): number | undefined {
  const language = XMP_KEYWORD.length + 3;
  const translated = bytes.indexOf(0, language) + 1;
  const packet = bytes.indexOf(0, translated) + 1;
  return translated === 0 || packet === 0 ? undefined : packet;
}

function edit(cursor: Cursor, state: PngState, chunk: Chunk, change: (bytes: Uint8Array) => void): void {
  const { type, dataAt, end } = chunk;
  const isHere = dataAt >= cursor.part.start && end <= cursor.part.end && end - dataAt <= MAX_EDITED_BYTES;
  if (!isHere || end === dataAt) {
    empty(cursor, state, chunk);
    return;
  }
  cursor.part.edit(dataAt, end - dataAt, (bytes) => {
    change(bytes);
    state.crc = crc32(bytes, crc32(type));
  });
  state.zerosFrom = end;
  state.crcAt = end;
  cursor.at = end;
}

/** Gives a chunk a type that no program reads, and fills it with zeros. */
function empty(cursor: Cursor, state: PngState, { dataAt, end }: Chunk): void {
  cursor.writeText(4, EMPTY_TYPE);
  cursor.wipe(dataAt, end);
  // The type's first letters may have been stored with the part before, so the CRC covers the type as stored.
  state.crc = crc32(cursor.part.read(dataAt - 4, 4));
  state.zerosFrom = dataAt;
  state.crcAt = end;
  cursor.at = end;
}

const ZEROS = new Uint8Array(64 * 1024);

function writeCrc(cursor: Cursor, state: PngState): boolean {
  // Adds the zeros up to the end of this part. The next parts add theirs.
  const to = Math.min(state.crcAt, cursor.part.end);
  for (; state.zerosFrom < to; state.zerosFrom += Math.min(ZEROS.length, to - state.zerosFrom)) {
    state.crc = crc32(ZEROS.subarray(0, Math.min(ZEROS.length, to - state.zerosFrom)), state.crc);
  }
  const { crc } = state;
  // If a cut is within the CRC, each part gets its bytes.
  cursor.part.write(state.crcAt, Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc));
  if (!cursor.has(4)) return false;
  state.crcAt = 0;
  cursor.at += 4;
  return true;
}
