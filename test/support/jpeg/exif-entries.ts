import { type ByteOrder, bigEndian, littleEndian } from "../media/media-bytes.ts";

export type Entry = readonly [tag: number, type: number, numbers: readonly number[]];

const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const LONG = 4;
/** Bytes of ASCII, SHORT, LONG and RATIONAL; a RATIONAL's numbers are two of four bytes. */
const NUMBER_BYTES = new Map([[2, 1], [3, 2], [4, 4], [5, 4]]); // biome-ignore format: a table

/** The content of an APP1 segment with these entries in the first directory, the Exif directory and the GPS directory. */
export function exifOf(
  order: ByteOrder,
  main: readonly Entry[],
  own: readonly Entry[] = [],
  gps: readonly Entry[] = [],
): Buffer {
  const number = order === "MM" ? bigEndian : littleEndian;
  const directory = (at: number, entries: readonly Entry[]): number[] => {
    const behind: number[] = [];
    const behindAt = at + 2 + 12 * entries.length + 4;
    const rows = entries.flatMap(([tag, type, numbers]) => {
      const value = numbers.flatMap((one) => number(one, NUMBER_BYTES.get(type) ?? 1));
      const count = type === 5 ? numbers.length / 2 : numbers.length;
      const head = [...number(tag, 2), ...number(type, 2), ...number(count, 4)];
      if (value.length <= 4) return [...head, ...value, ...Array<number>(4 - value.length).fill(0)];
      const offset = behindAt + behind.length;
      behind.push(...value);
      return [...head, ...number(offset, 4)];
    });
    return [...number(entries.length, 2), ...rows, ...number(0, 4), ...behind];
  };
  const pointer = (tag: number, offset: number, entries: readonly Entry[]): Entry[] =>
    entries.length === 0 ? [] : [[tag, LONG, [offset]]];
  const withPointers = (ownOffset: number, gpsOffset: number): readonly Entry[] => [
    ...main,
    ...pointer(EXIF_DIRECTORY, ownOffset, own),
    ...pointer(GPS_DIRECTORY, gpsOffset, gps),
  ];
  const ownAt = 8 + directory(8, withPointers(0, 0)).length;
  const gpsAt = ownAt + (own.length === 0 ? 0 : directory(ownAt, own).length);
  return Buffer.from([
    ...Buffer.from(`Exif\0\0${order}`),
    ...[...number(42, 2), ...number(8, 4)],
    ...directory(8, withPointers(ownAt, gpsAt)),
    ...(own.length === 0 ? [] : directory(ownAt, own)),
    ...(gps.length === 0 ? [] : directory(gpsAt, gps)),
  ]);
}

/** The entries of an APP1 segment's Exif, by tag, without its directories' own tags. It must be big-endian. */
export function readExifEntries(content: Uint8Array): Map<number, number[]> {
  const tiff = new DataView(content.buffer, content.byteOffset + 6, content.byteLength - 6);
  const found = new Map<number, number[]>();
  const read = (directory: number) => {
    for (let i = 0; i < tiff.getUint16(directory); i++) {
      const at = directory + 2 + 12 * i;
      const [tag, type] = [tiff.getUint16(at), tiff.getUint16(at + 2)];
      if (tiff.getUint32(at + 4) !== 1) throw new Error(`More than one value of ${tag}`);
      const value = tiff.getUint32(at + 8);
      if (tag === EXIF_DIRECTORY) read(value);
      else if (type === 5) found.set(tag, [tiff.getUint32(value), tiff.getUint32(value + 4)]);
      else found.set(tag, [type === 3 ? tiff.getUint16(at + 8) : value]);
    }
  };
  if (tiff.getUint32(0) !== 0x4d4d002a) throw new Error("Not big-endian");
  read(tiff.getUint32(4));
  return found;
}
