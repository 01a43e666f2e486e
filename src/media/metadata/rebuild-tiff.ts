import type { ScrubMode } from "../../domain/metadata-mode.ts";
import { MAKER_NOTES, reduceAppleNotes, UNDEFINED } from "../exif/apple-notes.ts";
import { openTiff, readDirectory, type Tiff, type TiffEntry } from "../exif/tiff-directory.ts";

const HEADER_BYTES = 8;
const EXIF_DIRECTORY = 0x8769;
const INTEROP_DIRECTORY = 0xa005;
/** The bytes of one value of each type of TIFF 6.0, section 2. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const LONG = 4;

/**
 * Tags of the picture's directory that decide how it is shown: orientation, resolution and its unit, TransferFunction, WhitePoint,
 * PrimaryChromaticities, YCbCrCoefficients, YCbCrPositioning and ReferenceBlackWhite (Exif 2.32, 4.6.4).
 */
const SHOWN = [0x0112, 0x011a, 0x011b, 0x0128, 0x012d, 0x013e, 0x013f, 0x0211, 0x0213, 0x0214];
/** ExifVersion, ComponentsConfiguration, FlashpixVersion, ColorSpace, PixelXDimension, PixelYDimension, Gamma. */
const EXIF_SHOWN = [0x9000, 0x9101, 0xa000, 0xa001, 0xa002, 0xa003, 0xa500];
/** ImageDescription, Make, Model, Software, DateTime, Artist, Rating, RatingPercent, Copyright; Windows' title, comment, keywords, subject. */
const DESCRIBED = [
  0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x4746, 0x4749, 0x8298, 0x9c9b, 0x9c9c, 0x9c9e, 0x9c9f,
];
/** Ranges of the Exif directory's standard tags that identify neither a person nor a place nor a single device. */
const EXIF_DESCRIBED: readonly (readonly [number, number])[] = [
  [0x829a, 0x829d],
  [0x8822, 0x8822],
  [0x8824, 0x8828],
  [0x8830, 0x8835],
  [0x9003, 0x9011],
  [0x9102, 0x920a],
  // Without MakerNote (0x927c), which is reduced.
  [0x9286, 0x9292],
  [0xa20b, 0xa217],
  [0xa300, 0xa40a],
  [0xa40c, 0xa40c],
  // LensSpecification, LensMake and LensModel. The tags around them have the owner's name and serial numbers.
  [0xa432, 0xa434],
  [0xa460, 0xa462],
];

interface KeptEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Uint8Array;
}

/**
 * Writes a TIFF structure again with the tags that a mode keeps, in the same number of bytes (TIFF 6.0, section 2; Exif 2.32, 4.6). GPS,
 * maker notes except the boost of Apple's gain map, serial numbers, the owner, thumbnails, unknown tags and bytes that no tag refers to are not copied. The byte order stays. A
 * damaged structure becomes an empty one.
 */
export function rebuildTiff(bytes: Uint8Array, mode: ScrubMode): void {
  const rebuilt =
    (mode === "private" ? writeTiff(bytes, "private") : undefined) ?? writeTiff(bytes, "none") ?? emptyTiff(bytes);
  bytes.fill(0);
  bytes.set(rebuilt.subarray(0, bytes.length));
}

/** @returns undefined if the structure is damaged, or would grow because its values overlap */
function writeTiff(bytes: Uint8Array, mode: ScrubMode): Uint8Array | undefined {
  const tiff = openTiff(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
  if (tiff === undefined) return undefined;
  const out = new Writer(bytes.length, tiff.littleEndian);
  const main = entriesOf(
    tiff,
    tiff.directory,
    (tag) => SHOWN.includes(tag) || (mode === "private" && DESCRIBED.includes(tag)),
  );
  const exif = openLinked(tiff, tiff.directory, EXIF_DIRECTORY, (tag) => isExifKept(tag, mode));
  const interop =
    exif.offset === undefined
      ? NOTHING
      : openLinked(tiff, exif.offset, INTEROP_DIRECTORY, (tag) => tag === 1 || tag === 2);
  const interopLink = interop.entries.length === 0 ? undefined : INTEROP_DIRECTORY;
  const exifLink = exif.entries.length === 0 && interopLink === undefined ? undefined : EXIF_DIRECTORY;
  const isWritten =
    out.directory(main, exifLink) &&
    (exifLink === undefined || out.directory(exif.entries, interopLink)) &&
    (interopLink === undefined || out.directory(interop.entries, undefined));
  return isWritten ? out.bytes : undefined;
}

function emptyTiff(bytes: Uint8Array): Uint8Array {
  const out = new Writer(Math.max(bytes.length, HEADER_BYTES + 6), false);
  out.directory([], undefined);
  return out.bytes;
}

function isExifKept(tag: number, mode: ScrubMode): boolean {
  if (EXIF_SHOWN.includes(tag) || tag === MAKER_NOTES) return true;
  return mode === "private" && EXIF_DESCRIBED.some(([first, last]) => tag >= first && tag <= last);
}

interface Linked {
  readonly offset?: number;
  readonly entries: readonly KeptEntry[];
}
const NOTHING: Linked = { entries: [] };

/** The entries of the directory to which an entry of another directory points. */
function openLinked(tiff: Tiff, from: number, link: number, keeps: (tag: number) => boolean): Linked {
  for (const { tag, type, count, valueAt } of readDirectory(tiff, from)) {
    if (tag !== link || type !== LONG || count !== 1) continue;
    const offset = tiff.view.getUint32(valueAt, tiff.littleEndian);
    return { offset, entries: entriesOf(tiff, offset, keeps) };
  }
  return NOTHING;
}

/** The first entry of each wanted tag, in the order of tags. */
function entriesOf(tiff: Tiff, directory: number, keeps: (tag: number) => boolean): KeptEntry[] {
  const found = new Map<number, KeptEntry>();
  for (const entry of readDirectory(tiff, directory)) {
    if (!keeps(entry.tag) || found.has(entry.tag)) continue;
    const { tag, type } = entry;
    const value = readValue(tiff, entry);
    if (value === undefined) continue;
    if (tag !== MAKER_NOTES) found.set(tag, { tag, type, count: entry.count, value });
    const boost = tag === MAKER_NOTES && type === UNDEFINED ? reduceAppleNotes(value) : undefined;
    if (boost !== undefined) found.set(tag, { tag, type, count: boost.length, value: boost });
  }
  return [...found.values()].sort((one, other) => one.tag - other.tag);
}

/** @returns undefined if the value is not within the structure */
function readValue(
  { view, begin, end, littleEndian }: Tiff,
  { type, count, valueAt }: TiffEntry,
): Uint8Array | undefined {
  const length = (TYPE_BYTES[type] ?? 0) * count;
  if (length === 0) return undefined;
  const at = length <= 4 ? valueAt : begin + view.getUint32(valueAt, littleEndian);
  if (at + length > end) return undefined;
  return new Uint8Array(view.buffer, view.byteOffset + at, length);
}

/** Writes directories one after the other, each followed by its longer values. */
class Writer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  #at = HEADER_BYTES;

  constructor(length: number, littleEndian: boolean) {
    this.bytes = new Uint8Array(Math.max(HEADER_BYTES, length));
    this.#view = new DataView(this.bytes.buffer);
    this.#littleEndian = littleEndian;
    this.#view.setUint16(0, littleEndian ? 0x4949 : 0x4d4d);
    this.#view.setUint16(2, 42, littleEndian);
    this.#view.setUint32(4, HEADER_BYTES, littleEndian);
  }

  /**
   * @param link the tag of a pointer to the directory that is written next
   * @returns false if there is no room for it
   */
  directory(entries: readonly KeptEntry[], link: number | undefined): boolean {
    const count = entries.length + (link === undefined ? 0 : 1);
    const begin = this.#at;
    let valueAt = begin + 2 + 12 * count + 4;
    const longer = entries.reduce(
      (sum, { value }) => sum + (value.length > 4 ? value.length + (value.length & 1) : 0),
      0,
    );
    if (valueAt + longer > this.bytes.length) return false;
    this.#uint16(begin, count);
    const links = link === undefined ? [] : [{ tag: link, type: LONG, count: 1, value: undefined }];
    const all = [...entries, ...links].sort((one, other) => one.tag - other.tag);
    for (const [index, { tag, type, count: values, value }] of all.entries()) {
      const at = begin + 2 + 12 * index;
      this.#uint16(at, tag);
      this.#uint16(at + 2, type);
      this.#uint32(at + 4, values);
      if (value === undefined) this.#uint32(at + 8, begin + 2 + 12 * count + 4 + longer);
      else if (value.length <= 4) this.bytes.set(value, at + 8);
      else {
        this.#uint32(at + 8, valueAt);
        this.bytes.set(value, valueAt);
        valueAt += value.length + (value.length & 1);
      }
    }
    this.#at = begin + 2 + 12 * count + 4 + longer;
    return true;
  }

  #uint16(at: number, value: number): void {
    this.#view.setUint16(at, value, this.#littleEndian);
  }

  #uint32(at: number, value: number): void {
    this.#view.setUint32(at, value, this.#littleEndian);
  }
}
