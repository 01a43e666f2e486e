/** Bytes before the TIFF structure in a JPEG's APP1 segment. */
export const EXIF_HEADER_BYTES = 6;
const EXIF = 0x45786966;

/** Whether an APP1 segment's content is Exif (Exif 2.32, 4.7.2): the name and a NUL. Viewers ignore the fill byte after them. */
export function isExif(view: DataView, at: number, length: number): boolean {
  if (length < EXIF_HEADER_BYTES || at + EXIF_HEADER_BYTES > view.byteLength) return false;
  return view.getUint32(at) === EXIF && view.getUint8(at + 4) === 0;
}
