/**
 * The smallest Exif with a picture's orientation: a TIFF header, one directory, one entry (TIFF 6.0, section 2; Exif 2.32, 4.6.4). All
 * other Exif, such as the place, is dropped, because the file is public.
 * @param orientation 1 to 8
 */
export function orientationTiff(orientation: number): Uint8Array<ArrayBuffer> {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.from([...header, 0, 1, ...entry, 0, 0, 0, 0]);
}
