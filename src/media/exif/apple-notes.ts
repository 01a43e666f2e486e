import { startsWith } from "../bytes.ts";
import { EXIF_HEADER_BYTES, isExif } from "./exif-header.ts";
import { EXIF_DIRECTORY, LONG } from "./exif-size.ts";
import { openTiff, readDirectory } from "./tiff-directory.ts";

/** The tag of maker notes in the Exif directory (Exif 2.32, 4.6.5). */
export const MAKER_NOTES = 0x927c;
/** A type of TIFF 6.0, section 2: bytes. */
export const UNDEFINED = 7;
const SIGNED_RATIONAL = 10;
const RATIONAL_BYTES = 8;
/** Apple's notes begin with this, followed by a directory. Its offsets count from here. */
const SIGNATURE = "Apple iOS\0\0\x01MM";
/** The tags that exiftool names HDRHeadroom and HDRGain. Apple's "Applying Apple HDR effect to your photos" computes the boost from them. */
const BOOST = [0x21, 0x30];

/**
 * Writes Apple's maker notes again with only the boost of the photo's gain map.
 * @returns undefined if the notes are another maker's, or have no boost
 */
export function reduceAppleNotes(notes: Uint8Array): Uint8Array | undefined {
  if (!startsWith(notes, SIGNATURE)) return undefined;
  const view = new DataView(notes.buffer, notes.byteOffset, notes.byteLength);
  const directory = SIGNATURE.length;
  const tiff = { view, begin: 0, end: notes.length, littleEndian: false, directory };
  const found = new Map<number, Uint8Array>();
  for (const { tag, type, count, valueAt } of readDirectory(tiff, directory)) {
    if (!BOOST.includes(tag) || found.has(tag) || type !== SIGNED_RATIONAL || count !== 1) continue;
    const at = view.getUint32(valueAt);
    if (at + RATIONAL_BYTES <= notes.length) found.set(tag, notes.subarray(at, at + RATIONAL_BYTES));
  }
  if (found.size === 0) return undefined;
  const valuesAt = directory + 2 + 12 * found.size + 4;
  const reduced = new Uint8Array(valuesAt + RATIONAL_BYTES * found.size);
  const out = new DataView(reduced.buffer);
  reduced.set(notes.subarray(0, directory));
  out.setUint16(directory, found.size);
  for (const [index, [tag, value]] of [...found].sort(([one], [other]) => one - other).entries()) {
    const at = directory + 2 + 12 * index;
    const valueAt = valuesAt + RATIONAL_BYTES * index;
    out.setUint16(at, tag);
    out.setUint16(at + 2, SIGNED_RATIONAL);
    out.setUint32(at + 4, 1);
    out.setUint32(at + 8, valueAt);
    reduced.set(value, valueAt);
  }
  return reduced;
}

/**
 * Reads the boost of Apple's gain map.
 * @param content of an APP1 segment
 * @returns Apple's maker notes with nothing else; undefined if it is not Exif, or has no boost
 */
export function readAppleBoost(content: Uint8Array): Uint8Array | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (!isExif(view, 0, content.length)) return undefined;
  const tiff = openTiff(view, EXIF_HEADER_BYTES, content.length - EXIF_HEADER_BYTES);
  if (tiff === undefined) return undefined;
  const { begin, end, littleEndian } = tiff;
  for (const { tag, type, count, valueAt } of readDirectory(tiff, tiff.directory)) {
    if (tag !== EXIF_DIRECTORY || type !== LONG || count !== 1) continue;
    for (const entry of readDirectory(tiff, view.getUint32(valueAt, littleEndian))) {
      if (entry.tag !== MAKER_NOTES || entry.type !== UNDEFINED) continue;
      const at = begin + view.getUint32(entry.valueAt, littleEndian);
      return at + entry.count > end ? undefined : reduceAppleNotes(content.subarray(at, at + entry.count));
    }
  }
  return undefined;
}
