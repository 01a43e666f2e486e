import { crc32 } from "node:zlib";
import { type Entry, exifOf } from "../jpeg/exif-entries.ts";
import { bytesOf, jpeg, png } from "./samples.ts";

/** Files with the facts that cameras write. */

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;

export interface Written {
  readonly make?: string;
  readonly model?: string;
  readonly lens?: string;
  /** `2026:05:01 12:00:00`. */
  readonly time?: string;
  /** `+02:00`. */
  readonly offset?: string;
  /** Numerator and denominator. */
  readonly shutter?: readonly [number, number];
  readonly aperture?: readonly [number, number];
  readonly focalLength?: readonly [number, number];
  readonly iso?: number;
  /** Exif's value of `iso` that does not fit. */
  readonly index?: number;
  readonly latitude?: WrittenAxis;
  readonly longitude?: WrittenAxis;
}

/** The reference, and the numerators and denominators of degrees, minutes and seconds. */
export type WrittenAxis = readonly [reference: string, numbers: readonly number[]];

/** 59.9139° N, 10.7522° E in Exif. */
export const OSLO = {
  latitude: ["N", [59, 1, 54, 1, 5004, 100]],
  longitude: ["E", [10, 1, 45, 1, 792, 100]],
} as const satisfies Written;

const TEXTS = { make: 0x010f, model: 0x0110, time: 0x9003, offset: 0x9011, lens: 0xa434 } as const;

/** The content of a JPEG's APP1 segment. */
export function exifBlock(written: Written, order: "II" | "MM" = "MM"): Buffer {
  const { shutter, aperture, focalLength, iso, index, latitude, longitude } = written;
  const axis = (tag: number, [reference, numbers]: WrittenAxis): Entry[] => [
    [tag, ASCII, [...Buffer.from(`${reference}\0`)]],
    [tag + 1, RATIONAL, numbers],
  ];
  const numbers: Entry[] = [
    ...(shutter === undefined ? [] : [[0x829a, RATIONAL, shutter] as const]),
    ...(aperture === undefined ? [] : [[0x829d, RATIONAL, aperture] as const]),
    ...(iso === undefined ? [] : [[0x8827, SHORT, [iso]] as const]),
    ...(index === undefined ? [] : [[0x8832, LONG, [index]] as const]),
    ...(focalLength === undefined ? [] : [[0x920a, RATIONAL, focalLength] as const]),
  ];
  const entries = (names: readonly (keyof typeof TEXTS)[]): Entry[] =>
    names.flatMap((name) => {
      const text = written[name];
      return text === undefined ? [] : [[TEXTS[name], ASCII, [...Buffer.from(`${text}\0`)]] as const];
    });
  const own: Entry[] = [...entries(["time", "offset", "lens"]), ...numbers, [0xa002, LONG, [1]]];
  return exifOf(order, entries(["make", "model"]), own, [
    ...(latitude === undefined ? [] : axis(1, latitude)),
    ...(longitude === undefined ? [] : axis(3, longitude)),
  ]);
}

export function jpegWith(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const picture = jpeg();
  const size = block.length + 2;
  const jfif = bytesOf([0xff, 0xe0, 0, 16], "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]);
  return bytesOf(picture.subarray(0, 2), jfif, [0xff, 0xe1, size >> 8, size & 255], block, picture.subarray(2));
}

export function pngWith(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const picture = png();
  const data = bytesOf("eXIf", block.subarray(6));
  const end = 8 + 25;
  return bytesOf(picture.subarray(0, end), uint32(data.length - 4), data, uint32(crc32(data)), picture.subarray(end));
}

/** @param sizeBytes of the picture before the Exif chunk */
export function webpWith(block: Uint8Array, sizeBytes = 100): Uint8Array<ArrayBuffer> {
  const chunk = (name: string, data: Uint8Array) =>
    bytesOf(name, little(data.length), data, data.length % 2 === 0 ? [] : [0]);
  const header = Uint8Array.from([8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const frame = new Uint8Array(sizeBytes);
  frame.set([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 1, 0, 1, 0]);
  const content = bytesOf("WEBP", chunk("VP8X", header), chunk("VP8 ", frame), chunk("EXIF", block.subarray(6)));
  return bytesOf("RIFF", little(content.length), content);
}

export interface WrittenFilm {
  /** Seconds since 1904. */
  readonly created?: number;
  readonly isLong?: boolean;
  /** QuickTime's keys. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Texts of `udta`. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Whether `meta` has version and flags. */
  readonly isIso?: boolean;
  /** Whether `meta` is in `udta`, where ffmpeg writes it. */
  readonly isInUdta?: boolean;
}

export function filmWith(
  { created = 0, isLong = false, keys, texts, isIso = false, isInUdta = false }: WrittenFilm,
  mediaBytes = 100,
) {
  const names = Object.keys(keys ?? {});
  const times = isLong ? [...long(created), ...long(created)] : [...uint32(created), ...uint32(created)];
  const movie = box("mvhd", [isLong ? 1 : 0, 0, 0, 0], times, new Uint8Array(88));
  const list = names.map((name) => bytesOf(uint32(8 + name.length), "mdta", name));
  const values = names.map((name, at) =>
    bytesOf(
      uint32(24 + Buffer.byteLength(keys?.[name] ?? "")),
      uint32(at + 1),
      box("data", uint32(1), uint32(0), Buffer.from(keys?.[name] ?? "")),
    ),
  );
  const meta = box(
    "meta",
    isIso ? uint32(0) : [],
    box("hdlr", new Uint8Array(24)),
    box("keys", uint32(0), uint32(names.length), ...list),
    box("ilst", ...values),
  );
  const written = Object.entries(texts ?? {}).map(([type, text]) =>
    box(type, [0, Buffer.byteLength(text), 0x55, 0xc4], Buffer.from(text)),
  );
  return bytesOf(
    box("ftyp", "qt  ", uint32(0), "qt  "),
    box("mdat", new Uint8Array(mediaBytes)),
    box(
      "moov",
      movie,
      ...(keys === undefined ? [] : [isInUdta ? box("udta", meta) : meta]),
      ...(texts === undefined ? [] : [box("udta", ...written)]),
    ),
  );
}

function box(type: string, ...content: (string | number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(...content);
  return bytesOf(uint32(bytes.length + 8), type, bytes);
}

function uint32(value: number): number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

function long(value: number): number[] {
  return [...uint32(Math.floor(value / 2 ** 32)), ...uint32(value)];
}

function little(value: number): number[] {
  return uint32(value).reverse();
}
