import { EXIF_HEADER_BYTES, isExif } from "./exif-header.ts";
import { openTiff, readDirectory } from "./tiff-directory.ts";

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/**
 * The orientation (1 to 8) in an APP1 segment's Exif block (Exif 2.32, 4.6.4); undefined if there is none.
 * @param at start of the segment's content
 * @param length of the content
 */
export function readOrientation(view: DataView, at: number, length: number): number | undefined {
  if (!isExif(view, at, length)) return undefined;
  return readTiffOrientation(view, at + EXIF_HEADER_BYTES, length - EXIF_HEADER_BYTES);
}

/** The orientation in a bare TIFF structure (TIFF 6.0, section 2), which follows `Exif` in a JPEG and is a PNG's eXIf chunk. */
export function readTiffOrientation(view: DataView, at: number, length: number): number | undefined {
  const tiff = openTiff(view, at, length);
  if (tiff === undefined) return undefined;
  for (const { tag, type, valueAt } of readDirectory(tiff, tiff.directory)) {
    if (tag !== ORIENTATION_TAG) continue;
    if (type !== SHORT) return undefined;
    const orientation = view.getUint16(valueAt, tiff.littleEndian);
    return orientation >= 1 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}
