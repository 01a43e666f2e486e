import type { Cursor } from "./cursor.ts";

const HEADER_BYTES = 8;
const MAX_DEPTH = 12;
/** Boxes whose children are read. */
const CONTAINERS = new Set(["moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "udta", "meta", "ilst", "keys"]);
/** Boxes of a file and of a movie that stay. Unknown boxes are overwritten, because cameras write places into boxes of their own. */
const KNOWN = new Set(
  (
    "ftyp styp moov moof mdat mfra sidx ssix prft emsg pdin meta idat " +
    "mvhd trak udta mvex iods rmra cmov clip ctab prfl pssh"
  ).split(" "),
);
const FREE = new Set(["free", "skip", "wide"]);
/** Texts and playback settings of `udta` and iTunes' `ilst` that private files keep. */
const DESCRIBED = new Set(
  (
    "\xa9nam \xa9ART \xa9alb \xa9day \xa9cmt \xa9des \xa9gen \xa9too \xa9swr \xa9enc \xa9cpy \xa9inf \xa9fmt \xa9mak \xa9mod \xa9wrt \xa9grp " +
    "aART desc ldes cprt titl dscp auth perf gnre albm yrrc name date kywd rtng clsf manu modl tmpo trkn disk cpil pgap stik hdvd tvsh"
  ).split(" "),
);
/** Playback settings of `udta` that stay in all modes: chapters, hints, repetition, Samsung's slow motion. */
const PLAYBACK = new Set("chpl hnti hinf tsel ludt LOOP SelO AllF WLOC SDLN smrd smta".split(" "));
/** Names in `keys` that private files keep: Apple's and Android's. */
const DESCRIBED_KEY =
  /^com\.(?:apple\.quicktime|android)\.(?:(?:capture\.)?(?:make|model|manufacturer|software|version|creationdate|title|displayname|description|comment|copyright|genre|year|keywords|album|fps|content\.identifier|full-frame-rate-playback-intent)|live-photo\..*)$/;
/** Names in `keys` that stay in all modes. */
const SHOWN_KEY =
  /^com\.(?:apple\.quicktime\.(?:live-photo\..*|full-frame-rate-playback-intent|content\.identifier)|android\.capture\.fps)$/;
const MAX_KEYS = 256;
const MAX_KEY_BYTES = 128;
/** Samples of telemetry, with places: GoPro, Google's camera motion, DJI, Sony. */
const TELEMETRY = new Set(["gpmd", "camm", "djmd", "dbgi", "rtmd", "gps ", "fdsc"]);
/** Apple's timed metadata; its description names the keys. */
const TIMED_KEYS = "mebx";
const MAX_DESCRIPTION_BYTES = 64 * 1024;
/** The bytes of a box's content that are read to judge it. Other boxes are judged by their headers. */
const READ_BYTES: Readonly<Record<string, number>> = { uuid: 16, meta: 8, stsd: 16 };
const TIMES = new Set(["mvhd", "tkhd", "mdhd"]);
/** The box of spherical video, which decides how a film is shown. */
const SPHERICAL = "\xff\xcc\x82\x63\xf8\x55\x4a\x93\x88\x14\x58\x7a\x02\x52\x1f\xdd";
/** The first bytes of a GoPro's telemetry in the media data: the header of a device, whose first field is its id. */
const DEVICE_BYTES = 16;
/** The most letters D that one step examines. */
const MAX_TRIES = 4;

interface Frame {
  readonly type: string;
  readonly at: number;
  readonly end: number;
}

export interface IsoState {
  /** The open containers. */
  readonly frames: Frame[];
  /** The end of the media data, if the position is within it. */
  dataEnd: number;
  /** Numbers of the keys that stay; null if there was no list of keys. */
  keys: number[] | null;
  keyCount: number;
}

export function newIsoState(): IsoState {
  return { frames: [], dataEnd: 0, keys: null, keyCount: 0 };
}

/** Whether an MP4 or MOV begins at the position. At least 8 bytes are there. */
export function isFilmAhead(cursor: Cursor): boolean {
  const size = cursor.uint32(0);
  return size >= 16 && size <= 1024 && cursor.text(4, 4) === "ftyp";
}

/**
 * Takes one step through the boxes of an MP4 or MOV (ISO 14496-12; QuickTime File Format). No box moves: a removed box becomes `free` and
 * is filled with zeros.
 * @returns `more` if more bytes are needed, `end` if no box follows
 */
export function scrubIso(cursor: Cursor, state: IsoState): "on" | "more" | "end" {
  if (state.dataEnd > cursor.at) return mediaData(cursor, state);
  let frame = state.frames.at(-1);
  while (frame !== undefined && cursor.at >= frame.end) {
    state.frames.pop();
    frame = state.frames.at(-1);
  }
  if (frame !== undefined && frame.end - cursor.at < HEADER_BYTES) {
    // QuickTime ends user data with four zero bytes, which are no box.
    cursor.at = frame.end;
    return "on";
  }
  if (!cursor.has(HEADER_BYTES)) return "more";
  const size = cursor.uint32(0);
  const type = cursor.text(4, 4);
  if (frame?.type === "keys") return key(cursor, state, size);
  const isItem = frame?.type === "ilst";
  if (!isItem && !/^[\x20-\x7e\xa9]{4}$/.test(type)) return damaged(cursor, state);
  const header = size === 1 ? 16 : HEADER_BYTES;
  if (!cursor.has(header)) return "more";
  const ownSize = size === 1 ? cursor.uint32(8) * 2 ** 32 + cursor.uint32(12) : size;
  const limit = frame?.end ?? Number.MAX_SAFE_INTEGER;
  const end = size === 0 ? limit : Math.min(limit, cursor.at + ownSize);
  if (end < cursor.at + header) return damaged(cursor, state);
  return box(cursor, state, { type, header, end, frame });
}

/** Leaves a damaged container. The rest of metadata is overwritten, because some programs read on after the damage. */
function damaged(cursor: Cursor, state: IsoState): "on" | "end" {
  const frame = state.frames.pop();
  if (frame === undefined) return "end";
  if (frame.type === "udta" || frame.type === "meta" || frame.type === "ilst") cursor.wipe(cursor.at, frame.end);
  cursor.at = frame.end;
  return "on";
}

interface Box {
  readonly type: string;
  readonly header: number;
  readonly end: number;
  readonly frame: Frame | undefined;
}

function box(cursor: Cursor, state: IsoState, { type, header, end, frame }: Box): "on" | "more" {
  const { mode } = cursor;
  const begin = cursor.at;
  const contentAt = begin + header;
  if (!cursor.has(Math.min(end - begin, header + (READ_BYTES[type] ?? 0)))) return "more";
  if (FREE.has(type)) cursor.wipe(contentAt, end);
  else if (!stays(cursor, state, { type, header, end, frame })) return drop(cursor, header, end);
  else if (type === "mdat" && frame === undefined) {
    state.dataEnd = end;
    cursor.at = contentAt;
    return "on";
  } else if (CONTAINERS.has(type) && frame?.type !== "ilst" && state.frames.length < MAX_DEPTH) {
    state.frames.push({ type, at: begin, end });
    cursor.at = contentAt + versionBytes(cursor, type, header);
    if (type === "meta") state.keys = null;
    if (type === "keys") {
      state.keys = [];
      state.keyCount = 0;
    }
    return "on";
  } else if (type === "stsd" && hasPlaces(cursor, contentAt, end)) return dropTrack(cursor, state, end);
  else if (mode === "none" && TIMES.has(type)) {
    const longer = cursor.part.byte(contentAt) === 1 ? 16 : 8;
    cursor.wipe(contentAt + 4, Math.min(end, contentAt + 4 + longer));
  }
  cursor.at = end;
  return "on";
}

/** Bytes of a container before its first child. QuickTime's `meta` has no version. */
function versionBytes(cursor: Cursor, type: string, header: number): number {
  if (type === "keys") return 8;
  return type === "meta" && cursor.text(header + 4, 4) !== "hdlr" ? 4 : 0;
}

function stays(cursor: Cursor, { keys }: IsoState, { type, header, frame }: Box): boolean {
  const isPrivate = cursor.mode === "private";
  switch (frame?.type) {
    case undefined:
    case "moov":
      if (type === "uuid") return false;
      return KNOWN.has(type);
    case "udta":
      return PLAYBACK.has(type) || type === "meta" || (isPrivate && DESCRIBED.has(type));
    case "meta":
      return type !== "xml " && type !== "bxml" && type !== "uuid";
    case "ilst":
      if (keys !== null) return keys.includes(cursor.uint32(4));
      return isPrivate && DESCRIBED.has(type);
    case "trak":
      if (type === "uuid") return cursor.text(header, 16) === SPHERICAL;
      return true;
    default:
      return true;
  }
}

function drop(cursor: Cursor, header: number, end: number): "on" {
  cursor.writeText(4, "free");
  cursor.wipe(cursor.at + header, end);
  cursor.at = end;
  return "on";
}

function key(cursor: Cursor, state: IsoState, size: number): "on" | "more" {
  const end = state.frames.at(-1)?.end ?? 0;
  if (size < HEADER_BYTES || cursor.at + size > end) return damaged(cursor, state) === "on" ? "on" : "more";
  const length = Math.min(size - HEADER_BYTES, MAX_KEY_BYTES);
  if (!cursor.has(HEADER_BYTES + length)) return "more";
  const name = cursor.text(HEADER_BYTES, length);
  state.keyCount += 1;
  const pattern = cursor.mode === "private" ? DESCRIBED_KEY : SHOWN_KEY;
  if (pattern.test(name) && state.keyCount <= MAX_KEYS) state.keys?.push(state.keyCount);
  cursor.at += size;
  return "on";
}

/** Whether a track's samples are telemetry. Its description has a version, a count, and then its first entry. */
function hasPlaces(cursor: Cursor, contentAt: number, end: number): boolean {
  const type = cursor.text(contentAt - cursor.at + 12, 4);
  if (TELEMETRY.has(type)) return true;
  if (type !== TIMED_KEYS) return false;
  const length = Math.min(end, cursor.part.end) - contentAt;
  // A description that has not arrived as a whole may name a place.
  if (end > cursor.part.end || length > MAX_DESCRIPTION_BYTES) return true;
  return Buffer.from(cursor.part.read(contentAt, length)).includes("location");
}

/** Makes a whole track `free`. If its beginning was stored with an earlier part, the type of its samples becomes an unknown one instead. */
function dropTrack(cursor: Cursor, state: IsoState, end: number): "on" {
  const { part } = cursor;
  const index = state.frames.findLastIndex(({ type }) => type === "trak");
  const track = state.frames[index];
  if (track === undefined || track.at < part.start) {
    cursor.writeText(HEADER_BYTES + 12, "void");
    cursor.at = end;
    return "on";
  }
  part.write(
    track.at + 4,
    Uint8Array.from("free", (char) => char.charCodeAt(0)),
  );
  cursor.wipe(track.at + HEADER_BYTES, track.end);
  state.frames.splice(index);
  cursor.at = track.end;
  return "on";
}

/** @returns the next position at which a device's telemetry may begin, or `end`; after `MAX_TRIES` letters, the next letter D */
function findDevice({ at, part }: Cursor, end: number): number {
  let found = part.indexOf(0x44, at, end);
  for (let tries = 0; tries < MAX_TRIES && found < end; tries++) {
    if (part.byte(found + 1) === 0x45 || found + 1 === part.end) return found;
    found = part.indexOf(0x44, found + 1, end);
  }
  return found;
}

/** Overwrites GoPro's telemetry, whose samples are between samples of picture and sound. */
function mediaData(cursor: Cursor, state: IsoState): "on" | "more" {
  const end = Math.min(state.dataEnd, cursor.part.end);
  cursor.at = findDevice(cursor, end);
  if (cursor.at >= state.dataEnd) return "on";
  if (!cursor.has(DEVICE_BYTES)) {
    if (state.dataEnd > cursor.part.end || state.dataEnd - cursor.at >= DEVICE_BYTES) return "more";
    cursor.at = state.dataEnd;
    return "on";
  }
  if (cursor.text(0, 4) !== "DEVC" || cursor.byte(4) !== 0 || cursor.text(8, 4) !== "DVID") {
    cursor.at += 1;
    return "on";
  }
  const begin = cursor.at + HEADER_BYTES;
  const length = (cursor.byte(5) * cursor.uint16(6) + 3) & ~3;
  cursor.wipe(begin, Math.min(state.dataEnd, begin + length));
  cursor.at = begin + length;
  return "on";
}
