const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;
/** And a byte of fill, whatever it is. */
const EXIF_PREFIX = Buffer.from("Exif\0", "latin1");
const EXIF_PREFIX_BYTES = 6;

/** The orientation (2 to 8) that an EXIF block asks for; undefined where there is none, it is 1, or the block is damaged. */
export function readOrientation(exif: Buffer): number | undefined {
  const tiff = exif.subarray(0, EXIF_PREFIX.length).equals(EXIF_PREFIX) ? exif.subarray(EXIF_PREFIX_BYTES) : exif;
  if (tiff.length < 14) return undefined;
  const littleEndian = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at: number) => (littleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (littleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = u32(4);
  if (directory + 2 > tiff.length) return undefined;
  const entries = Math.min(u16(directory), Math.floor((tiff.length - directory - 2) / ENTRY_BYTES));
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * ENTRY_BYTES;
    if (u16(entry) !== ORIENTATION_TAG || u16(entry + 2) !== SHORT) continue;
    const orientation = u16(entry + 8);
    return orientation >= 2 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}

/** An EXIF block (TIFF, big-endian) that holds an orientation and nothing else. */
export function writeOrientation(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write("MM\0*", 0, "latin1");
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(1, 8);
  exif.writeUInt16BE(ORIENTATION_TAG, 10);
  exif.writeUInt16BE(SHORT, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
