/** TIFF 6.0 types: ASCII, SHORT, LONG, RATIONAL. */
type Entry = readonly [tag: number, type: 2 | 3 | 4 | 5, count: number, value: Buffer];

const HEADER_BYTES = 8;

/** Exif as a phone writes it: orientation, a name and a location (Exif 2.32, 4.6.4 and 4.6.6). */
export function exifWithPlace(orientation: number): Buffer {
  const short = Buffer.from([0, orientation, 0, 0]);
  const name = Buffer.from("Somebody\0", "latin1");
  const main = (placeAt: number): Entry[] => [
    [0x0112, 3, 1, short],
    [0x013b, 2, name.length, name],
    [0x8825, 4, 1, uint32(placeAt)],
  ];
  const place: Entry[] = [
    [1, 2, 2, Buffer.from("N\0\0\0", "latin1")],
    [2, 5, 3, uint32(52, 1, 31, 1, 12, 1)],
  ];
  const first = directory(HEADER_BYTES, main(0));
  const placeAt = HEADER_BYTES + first.length;
  const header = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, HEADER_BYTES]);
  return Buffer.concat([header, directory(HEADER_BYTES, main(placeAt)), directory(placeAt, place)]);
}

/** TIFF 6.0, section 2: values of more than four bytes follow the directory. */
function directory(at: number, entries: readonly Entry[]): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  head.writeUInt16BE(entries.length, 0);
  const behind: Buffer[] = [];
  let next = at + head.length;
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const place = 2 + i * 12;
    head.writeUInt16BE(tag, place);
    head.writeUInt16BE(type, place + 2);
    head.writeUInt32BE(count, place + 4);
    if (value.length <= 4) {
      head.set(value, place + 8);
    } else {
      head.writeUInt32BE(next, place + 8);
      behind.push(value);
      next += value.length;
    }
  }
  return Buffer.concat([head, ...behind]);
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}
