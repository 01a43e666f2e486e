const EXIF_HEADER_BYTES = 6;
const ENTRY_BYTES = 12;
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;

/**
 * The orientation (1 to 8) in an APP1 segment's Exif block (Exif 2.32, 4.6.4); undefined where there is none.
 * @param at where the segment's content begins
 * @param length of the content
 */
export function readOrientation(view: DataView, at: number, length: number): number | undefined {
  if (length < EXIF_HEADER_BYTES || at + EXIF_HEADER_BYTES > view.byteLength) return undefined;
  if (view.getUint32(at) !== 0x45786966 || view.getUint16(at + 4) !== 0) return undefined;
  return readTiffOrientation(view, at + EXIF_HEADER_BYTES, length - EXIF_HEADER_BYTES);
}

/** The same of what stands behind the `Exif` of a JPEG, and alone in a PNG's eXIf chunk (TIFF 6.0, section 2). */
export function readTiffOrientation(view: DataView, tiff: number, length: number): number | undefined {
  const end = Math.min(view.byteLength, tiff + length);
  if (tiff + 8 > end) return undefined;
  const order = view.getUint16(tiff);
  if (order !== 0x4949 && order !== 0x4d4d) return undefined;
  const littleEndian = order === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, littleEndian);
  if (directory + 2 > end) return undefined;
  const entries = view.getUint16(directory, littleEndian);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * ENTRY_BYTES;
    if (entry + ENTRY_BYTES > end) return undefined;
    if (view.getUint16(entry, littleEndian) !== ORIENTATION_TAG) continue;
    if (view.getUint16(entry + 2, littleEndian) !== SHORT) return undefined;
    const orientation = view.getUint16(entry + 8, littleEndian);
    return orientation >= 1 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}
