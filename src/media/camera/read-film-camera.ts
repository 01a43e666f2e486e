import { type CameraFacts, type Location, NO_CAMERA, toLocation } from "../../domain/camera-facts.ts";
import type { ByteSource } from "./byte-source.ts";
import { joinNames, toName, toTime } from "./camera-text.ts";

/** Boxes of one level that are read. A film may have thousands of fragments. */
const MAX_BOXES = 1000;
const HEADER_BYTES = 8;
/** QuickTime counts seconds since 1904. */
const EPOCH_SECONDS = 2_082_844_800;
/** The most bytes of a list of keys, and of a value. */
const MAX_KEYS_BYTES = 16 * 1024;
const MAX_VALUE_BYTES = 400;
const MAX_KEYS = 256;
/** Texts in `udta` begin with a length and a language, values of `ilst` with a `data` box. */
const TEXT_HEADER_BYTES = 4;
const VALUE_HEADER_BYTES = 16;

interface Box {
  readonly type: string;
  /** The content. */
  readonly at: number;
  readonly end: number;
}

/**
 * Reads a film's facts from its `moov` box (ISO 14496-12; QuickTime File Format). The keys of an iPhone know the offset from UTC, `mvhd` is in
 * UTC already.
 */
export function readFilmCamera(source: ByteSource): CameraFacts {
  const moov = find(source, { at: 0, end: source.length }, "moov");
  if (moov === undefined) return NO_CAMERA;
  const udta = find(source, moov, "udta");
  // ffmpeg writes QuickTime's keys into the user data.
  const keys = readKeys(source, find(source, moov, "meta") ?? (udta && find(source, udta, "meta")));
  const named = (name: string) => keys.get(`com.apple.quicktime.${name}`) ?? keys.get(`com.android.${name}`) ?? null;
  const text = (type: string) => (udta === undefined ? null : readText(source, find(source, udta, type)));
  const created = named("creationdate") ?? "";
  const offset = /[+-]\d\d:?\d\d$/.exec(created)?.[0];
  return {
    takenAt: toTime(created, offset) ?? readMovieTime(source, moov),
    camera: joinNames(named("make") ?? named("manufacturer") ?? text("\xa9mak"), named("model") ?? text("\xa9mod")),
    lens: null,
    exposure: null,
    location: readPlace(named("location.ISO6709") ?? text("\xa9xyz") ?? ""),
  };
}

const PLACE = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)(?:[+-]|CRS|\/|$)/;

/** A place in degrees (ISO 6709, Annex H) such as `+59.9139+010.7522+012.3/`. */
function readPlace(text: string): Location | null {
  const [, latitude, longitude] = PLACE.exec(text) ?? [];
  return latitude === undefined ? null : toLocation(Number(latitude), Number(longitude));
}

/** `creation_time` of `mvhd`; null if the encoder wrote none. */
function readMovieTime(source: ByteSource, moov: Box): number | null {
  const mvhd = find(source, moov, "mvhd");
  if (mvhd === undefined) return null;
  const bytes = source.read(mvhd.at, 12);
  if (bytes.length < 12) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = view.getUint8(0) === 1;
  const seconds = isLong ? view.getUint32(4) * 2 ** 32 + view.getUint32(8) : view.getUint32(4);
  // Encoders without a clock write zero, or a time near 1904 or 1970.
  const at = (seconds - EPOCH_SECONDS) * 1000;
  return at > 365 * 86_400_000 && at < 7_258_118_400_000 ? at : null;
}

/** The texts of a `meta` box, by key. */
function readKeys(source: ByteSource, meta: Box | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (meta === undefined) return values;
  // QuickTime's box has no version and flags, ISO's has.
  const isPlain = toLatin(source.read(meta.at + 4, 4)) === "hdlr";
  const content = { at: meta.at + (isPlain ? 0 : 4), end: meta.end };
  const [keys, ilst] = [find(source, content, "keys"), find(source, content, "ilst")];
  if (keys === undefined || ilst === undefined) return values;
  const names = readNames(source.read(keys.at, Math.min(keys.end - keys.at, MAX_KEYS_BYTES)));
  for (const item of boxesIn(source, ilst)) {
    const number = [...item.type].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);
    const name = names[number - 1];
    const data = source.read(
      item.at + VALUE_HEADER_BYTES,
      Math.min(item.end - item.at - VALUE_HEADER_BYTES, MAX_VALUE_BYTES),
    );
    const value = toName(data);
    if (name !== undefined && value !== null && !values.has(name)) values.set(name, value);
  }
  return values;
}

function readNames(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  for (let at = 8; at + 8 <= bytes.length && names.length < MAX_KEYS; ) {
    const size = view.getUint32(at);
    if (size < 8) break;
    names.push(toLatin(bytes.subarray(at + 8, at + size)));
    at += size;
  }
  return names;
}

function readText(source: ByteSource, box: Box | undefined): string | null {
  if (box === undefined) return null;
  const length = Math.min(box.end - box.at - TEXT_HEADER_BYTES, MAX_VALUE_BYTES);
  return length > 0 ? toName(source.read(box.at + TEXT_HEADER_BYTES, length)) : null;
}

function find(source: ByteSource, within: Omit<Box, "type">, type: string): Box | undefined {
  for (const box of boxesIn(source, within)) if (box.type === type) return box;
  return undefined;
}

/** The boxes of one level, as far as their headers are there. */
export function* boxesIn(source: ByteSource, { at: from, end }: Omit<Box, "type">): Generator<Box> {
  let at = from;
  for (let count = 0; count < MAX_BOXES && at + HEADER_BYTES <= end; count++) {
    const header = source.read(at, 2 * HEADER_BYTES);
    if (header.length < HEADER_BYTES) return;
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const short = view.getUint32(0);
    if (short === 1 && header.length < 2 * HEADER_BYTES) return;
    const size = short === 1 ? view.getUint32(8) * 2 ** 32 + view.getUint32(12) : short === 0 ? end - at : short;
    const headerBytes = short === 1 ? 2 * HEADER_BYTES : HEADER_BYTES;
    if (size < headerBytes) return;
    yield { type: toLatin(header.subarray(4, 8)), at: at + headerBytes, end: Math.min(end, at + size) };
    at += size;
  }
}

function toLatin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
