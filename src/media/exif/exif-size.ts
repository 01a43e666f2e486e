import { EXIF_HEADER_BYTES, isExif } from "./exif-header.ts";
import { openTiff, readDirectory, type Tiff, type TiffEntry } from "./tiff-directory.ts";

/** Types of TIFF 6.0, section 2. */
export const SHORT = 3;
export const LONG = 4;
export const RATIONAL = 5;

const X_RESOLUTION = 0x011a;
const Y_RESOLUTION = 0x011b;
const RESOLUTION_UNIT = 0x0128;
export const EXIF_DIRECTORY = 0x8769;
const PIXEL_X_DIMENSION = 0xa002;
const PIXEL_Y_DIMENSION = 0xa003;
/** Units: 1 none, 2 inch, 3 centimetre. */
const MAX_UNIT = 3;

export interface ExifValue {
  readonly tag: number;
  readonly type: typeof SHORT | typeof LONG | typeof RATIONAL;
  /** One number, or two for a RATIONAL. */
  readonly numbers: readonly number[];
}

/** Exif's fields for a picture's intended size, in the order of their tags. Invalid values are left out. */
export interface ExifSize {
  /** XResolution, YResolution and ResolutionUnit of the first directory (Exif 2.32, 4.6.4). */
  readonly resolution: readonly ExifValue[];
  /** PixelXDimension and PixelYDimension of the Exif directory (4.6.5). */
  readonly pixels: readonly ExifValue[];
}

/**
 * Reads the intended size. Browsers combine these fields into an image's natural size if they agree with its size in pixels.
 * @param content of an APP1 segment
 * @returns undefined if it is not Exif or has none of the fields
 */
export function readExifSize(content: Uint8Array): ExifSize | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (!isExif(view, 0, content.length)) return undefined;
  const tiff = openTiff(view, EXIF_HEADER_BYTES, content.length - EXIF_HEADER_BYTES);
  if (tiff === undefined) return undefined;
  const main = firstOfEach(tiff, tiff.directory);
  const resolution = [
    readRational(tiff, main.get(X_RESOLUTION)),
    readRational(tiff, main.get(Y_RESOLUTION)),
    readUnit(tiff, main.get(RESOLUTION_UNIT)),
  ].filter((value) => value !== undefined);
  const pointer = readWhole(tiff, main.get(EXIF_DIRECTORY));
  const own = pointer === undefined ? new Map<number, TiffEntry>() : firstOfEach(tiff, pointer.numbers[0] ?? 0);
  const pixels = [PIXEL_X_DIMENSION, PIXEL_Y_DIMENSION]
    .map((tag) => readWhole(tiff, own.get(tag)))
    .filter((value) => value !== undefined);
  return resolution.length + pixels.length === 0 ? undefined : { resolution, pixels };
}

const WANTED = new Set([
  X_RESOLUTION,
  Y_RESOLUTION,
  RESOLUTION_UNIT,
  EXIF_DIRECTORY,
  PIXEL_X_DIMENSION,
  PIXEL_Y_DIMENSION,
]);

function firstOfEach(tiff: Tiff, directory: number): ReadonlyMap<number, TiffEntry> {
  const found = new Map<number, TiffEntry>();
  for (const entry of readDirectory(tiff, directory)) {
    if (WANTED.has(entry.tag) && entry.count === 1 && !found.has(entry.tag)) found.set(entry.tag, entry);
  }
  return found;
}

function readRational({ view, begin, end, littleEndian }: Tiff, entry: TiffEntry | undefined): ExifValue | undefined {
  if (entry?.type !== RATIONAL) return undefined;
  const at = begin + view.getUint32(entry.valueAt, littleEndian);
  if (at + 8 > end) return undefined;
  const numbers = [view.getUint32(at, littleEndian), view.getUint32(at + 4, littleEndian)];
  return numbers.includes(0) ? undefined : { tag: entry.tag, type: RATIONAL, numbers };
}

function readUnit({ view, littleEndian }: Tiff, entry: TiffEntry | undefined): ExifValue | undefined {
  if (entry?.type !== SHORT) return undefined;
  const unit = view.getUint16(entry.valueAt, littleEndian);
  return unit >= 1 && unit <= MAX_UNIT ? { tag: entry.tag, type: SHORT, numbers: [unit] } : undefined;
}

/** A SHORT or a LONG that is not 0. */
function readWhole({ view, littleEndian }: Tiff, entry: TiffEntry | undefined): ExifValue | undefined {
  if (entry?.type !== SHORT && entry?.type !== LONG) return undefined;
  const value =
    entry.type === SHORT ? view.getUint16(entry.valueAt, littleEndian) : view.getUint32(entry.valueAt, littleEndian);
  return value === 0 ? undefined : { tag: entry.tag, type: LONG, numbers: [value] };
}
