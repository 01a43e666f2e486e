import { MAKER_NOTES, UNDEFINED } from "./apple-notes.ts";
import { EXIF_DIRECTORY, type ExifSize, type ExifValue, LONG, RATIONAL, SHORT } from "./exif-size.ts";

const TIFF_HEADER_BYTES = 8;
const ORIENTATION = 0x0112;
const RATIONAL_BYTES = 8;

/**
 * The smallest Exif block with a picture's orientation and intended size (TIFF 6.0, section 2; Exif 2.32, 4.6 and 4.7.2). All other Exif is
 * dropped, because the file is public.
 * @param orientation 1 to 8
 * @param notes maker notes that decide how the picture is shown
 * @returns the content of an APP1 segment; undefined if it would be empty
 */
export function minimalExif(orientation: number, size: ExifSize | undefined, notes?: Uint8Array): number[] | undefined {
  const { resolution = [], pixels = [] } = size ?? {};
  const own: Value[] = notes === undefined ? [...pixels] : [{ tag: MAKER_NOTES, bytes: notes }, ...pixels];
  const turn: ExifValue[] = orientation === 1 ? [] : [{ tag: ORIENTATION, type: SHORT, numbers: [orientation] }];
  const main = [...turn, ...resolution];
  if (main.length + own.length === 0) return undefined;
  const rationals = resolution.filter(({ type }) => type === RATIONAL).length;
  const rationalsAt = TIFF_HEADER_BYTES + directoryBytes(main.length + (own.length === 0 ? 0 : 1));
  const ownAt = rationalsAt + rationals * RATIONAL_BYTES;
  const pointer: ExifValue[] = own.length === 0 ? [] : [{ tag: EXIF_DIRECTORY, type: LONG, numbers: [ownAt] }];
  return [
    ...Array.from("Exif\0\0MM", (char) => char.charCodeAt(0)),
    ...[...uint16(42), ...uint32(TIFF_HEADER_BYTES)],
    ...directory([...main, ...pointer], rationalsAt),
    ...(own.length === 0 ? [] : directory(own, ownAt + directoryBytes(own.length))),
  ];
}

type Value = ExifValue | { readonly tag: number; readonly bytes: Uint8Array };

function directoryBytes(entries: number): number {
  return 2 + 12 * entries + 4;
}

/** @param longerAt offset after the directory, for values that do not fit in an entry */
function directory(values: readonly Value[], longerAt: number): number[] {
  const longer: number[] = [];
  const entries = values.flatMap((value) => {
    const at = longerAt + longer.length;
    if ("bytes" in value) {
      longer.push(...value.bytes);
      return [...uint16(value.tag), ...uint16(UNDEFINED), ...uint32(value.bytes.length), ...uint32(at)];
    }
    const { tag, type, numbers } = value;
    const head = [...uint16(tag), ...uint16(type), ...uint32(1)];
    const [first = 0] = numbers;
    if (type === SHORT) return [...head, ...uint16(first), 0, 0];
    if (type === LONG) return [...head, ...uint32(first)];
    longer.push(...numbers.flatMap(uint32));
    return [...head, ...uint32(at)];
  });
  return [...uint16(values.length), ...entries, ...uint32(0), ...longer];
}

function uint16(value: number): number[] {
  return [value >> 8, value & 255];
}

function uint32(value: number): number[] {
  return [...uint16(value >>> 16), ...uint16(value & 0xffff)];
}
