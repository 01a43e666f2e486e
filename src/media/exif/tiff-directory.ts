const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
/** Far more than any writer has. A file may hold thousands in each of a hundred directories. */
const MAX_ENTRIES = 1000;
const LITTLE_ENDIAN = 0x4949;
const BIG_ENDIAN = 0x4d4d;

/** A TIFF structure within a larger file; Exif is one. */
export interface Tiff {
  readonly view: DataView;
  /** Offsets count from here. */
  readonly begin: number;
  readonly end: number;
  readonly littleEndian: boolean;
  /** Offset of the first directory. */
  readonly directory: number;
}

export interface TiffEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Offset in the view of the entry's four-byte value, or of the offset of a longer value. */
  readonly valueAt: number;
}

/** Reads the header (TIFF 6.0, section 2). Undefined if it is damaged. @param length at most this much belongs to the structure */
export function openTiff(view: DataView, begin: number, length: number): Tiff | undefined {
  const end = Math.min(view.byteLength, begin + length);
  if (begin + HEADER_BYTES > end) return undefined;
  const order = view.getUint16(begin);
  if (order !== LITTLE_ENDIAN && order !== BIG_ENDIAN) return undefined;
  const littleEndian = order === LITTLE_ENDIAN;
  return { view, begin, end, littleEndian, directory: view.getUint32(begin + 4, littleEndian) };
}

/** The available entries of one directory. Linked directories are not read. */
export function* readDirectory({ view, begin, end, littleEndian }: Tiff, offset: number): Generator<TiffEntry> {
  const directory = begin + offset;
  if (directory + 2 > end) return;
  const entries = Math.min(MAX_ENTRIES, view.getUint16(directory, littleEndian));
  for (let i = 0; i < entries; i++) {
    const at = directory + 2 + i * ENTRY_BYTES;
    if (at + ENTRY_BYTES > end) return;
    yield {
      tag: view.getUint16(at, littleEndian),
      type: view.getUint16(at + 2, littleEndian),
      count: view.getUint32(at + 4, littleEndian),
      valueAt: at + 8,
    };
  }
}
