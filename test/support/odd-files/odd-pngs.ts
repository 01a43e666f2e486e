import { deflateSync } from "node:zlib";
import { tiff } from "../media/media-bytes.ts";
import { type Chunk, header, PNG_SIGNATURE, type PngPicture, pngFile } from "../png/write-png.ts";
import type { OddFile } from "./odd-file.ts";

const SIZE = { width: 40, height: 30 };
const NOTHING = Buffer.alloc(0);
const END: Chunk = ["IEND", NOTHING];
/** RGB rows, each after its filter byte. */
const ROWS = Buffer.concat(
  Array.from({ length: SIZE.height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: 3 * SIZE.width }, (_, x) => (x * 7 + y * 13) % 200)]),
  ),
);
const PACKED = deflateSync(ROWS);
const PALETTE: Chunk = ["PLTE", Buffer.from([200, 10, 10, 10, 200, 10])];

const ihdr = (change: Partial<PngPicture> = {}): Chunk => [
  "IHDR",
  header({ ...SIZE, colorType: 2, bitDepth: 8, ...change }),
];
const idat = (data: Uint8Array): Chunk => ["IDAT", data];
const plain = (...data: Uint8Array[]) => pngFile([ihdr(), ...data.map(idat), END]);

/** One chunk of image data for each length, and a last one for the rest. */
function split(...lengths: number[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(PACKED.subarray(at, at + length));
    at += length;
  }
  return plain(...pieces, PACKED.subarray(at));
}

function withByte(bytes: Uint8Array, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at < 0 ? bytes.length + at : at] = value;
  return changed;
}

/** The compressed data with one byte changed. */
const damaged = (at: number, value: number) => plain(withByte(PACKED, at, value));

function withHeaderByte(at: number, value: number): Buffer {
  const [, data] = ihdr();
  return pngFile([["IHDR", withByte(data, at, value)], idat(PACKED), END]);
}

/** The file with a wrong CRC in the first chunk of this type. */
function withWrongCrc(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type);
  return withByte(file, at + 4 + file.readUInt32BE(at - 4), 1 ^ (file[at + 4 + file.readUInt32BE(at - 4)] ?? 0));
}

const withFilter = (filter: number, row: number) =>
  plain(deflateSync(withByte(ROWS, row * (1 + 3 * SIZE.width), filter)));
const GAMMA: Chunk = ["gAMA", Buffer.from([0, 0, 0xb1, 0x8f])];
const ANIMATION: Chunk = ["acTL", Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])];
const indexedRows = deflateSync(Buffer.concat(Array.from({ length: SIZE.height }, () => Buffer.alloc(1 + SIZE.width))));
const indexed = (...chunks: Chunk[]) => pngFile([ihdr({ colorType: 3 }), ...chunks, END]);

const FILES: readonly (readonly [label: string, bytes: Buffer])[] = [
  ["nothing odd", plain(PACKED)],
  ["a first IDAT of 0 bytes", split(0)],
  ["a first IDAT of 1 byte", split(1)],
  ["a first IDAT of 2 bytes", split(2)],
  ["a first IDAT of 3 bytes", split(3)],
  ["first IDATs of 0, 1 and 1 bytes", split(0, 1, 1)],
  ["IDATs of 1 byte each", split(...Array<number>(PACKED.length - 1).fill(1))],
  ["thirty empty IDATs first", split(...Array<number>(30).fill(0))],
  ["an empty last IDAT", split(PACKED.length)],
  ["a wrong Adler-32", damaged(-1, (PACKED.at(-1) ?? 0) ^ 1)],
  ["no Adler-32", plain(PACKED.subarray(0, -4))],
  ["half an Adler-32", plain(PACKED.subarray(0, -2))],
  ["a compression method that is not deflate", damaged(0, 0x79)],
  ["zlib's first byte 0", damaged(0, 0)],
  ["a window larger than there is", damaged(0, 0x88)],
  ["a wrong check of zlib's header", damaged(1, (PACKED[1] ?? 0) ^ 1)],
  ["a preset dictionary", plain(Buffer.from([0x78, 0x20 + 31 - (0x7820 % 31 || 31)]), PACKED.subarray(2))],
  ["a first block of type 3", damaged(2, 0x07)],
  ["a stored block whose lengths differ", damaged(2, 0x01)],
  ...[2, 3, 4, 5, 6, 8, 10, 14, 20, 40].map(
    (at) => [`byte ${at} of the data turned over`, damaged(at, (PACKED[at] ?? 0) ^ 255)] as const,
  ),
  ["a bit of byte 30 of the data changed", damaged(30, (PACKED[30] ?? 0) ^ 4)],
  [
    "half of the data turned over",
    plain(
      PACKED.subarray(0, PACKED.length >> 1),
      PACKED.subarray(PACKED.length >> 1).map((value) => ~value),
    ),
  ],
  ["more data than it has rows", plain(deflateSync(Buffer.concat([ROWS, ROWS])))],
  ["bytes after the data", plain(PACKED, Buffer.from("more"))],
  ["half of its rows", plain(deflateSync(ROWS.subarray(0, ROWS.length >> 1)))],
  ["half a row", plain(deflateSync(ROWS.subarray(0, SIZE.width)))],
  ["packed data of no bytes", plain(deflateSync(NOTHING))],
  ["data of noise", plain(Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 151 + (i >> 3) * 37) & 127)))],
  ["a first row of filter 5", withFilter(5, 0)],
  ["a first row of filter 200", withFilter(200, 0)],
  ["a middle row of filter 9", withFilter(9, 15)],
  ["a wrong CRC of IHDR", withWrongCrc(plain(PACKED), "IHDR")],
  ["a wrong CRC of IDAT", withWrongCrc(plain(PACKED), "IDAT")],
  ["a wrong CRC of the second IDAT", withWrongCrc(split(0, 100), "IDAT")],
  ["a wrong CRC of IEND", withWrongCrc(plain(PACKED), "IEND")],
  ["a wrong CRC of gAMA", withWrongCrc(pngFile([ihdr(), GAMMA, idat(PACKED), END]), "gAMA")],
  ["a wrong CRC of PLTE", withWrongCrc(indexed(PALETTE, idat(indexedRows)), "PLTE")],
  ["no IEND", pngFile([ihdr(), idat(PACKED)])],
  ["an end in its data", plain(PACKED).subarray(0, 200)],
  ["an end after 20 bytes of data", plain(PACKED).subarray(0, 61)],
  ["an end after 2 bytes of data", plain(PACKED).subarray(0, 43)],
  ["an end after the first IDAT's header", plain(PACKED).subarray(0, 41)],
  ["an end after IHDR", plain(PACKED).subarray(0, 33)],
  ["no palette", indexed(idat(indexedRows))],
  ["a palette after the data", indexed(idat(indexedRows), PALETTE)],
  ["an empty palette", indexed(["PLTE", NOTHING], idat(indexedRows))],
  ["a palette of 4 bytes", indexed(["PLTE", Buffer.alloc(4)], idat(indexedRows))],
  ["a palette of 300 colours", indexed(["PLTE", Buffer.alloc(900, 50)], idat(indexedRows))],
  ["a palette", indexed(PALETTE, idat(indexedRows))],
  [
    "a palette that a picture of grey must not have",
    pngFile([ihdr({ colorType: 0 }), PALETTE, idat(indexedRows), END]),
  ],
  ["a chunk between its IDATs", pngFile([ihdr(), idat(PACKED.subarray(0, 99)), GAMMA, idat(PACKED.subarray(99)), END])],
  ["an unknown critical chunk", pngFile([ihdr(), ["ABCD", Buffer.alloc(9)], idat(PACKED), END])],
  ["a chunk of a name that is no letters", pngFile([ihdr(), ["a1!?", Buffer.alloc(9)], idat(PACKED), END])],
  ["a second IHDR", pngFile([ihdr(), ihdr(), idat(PACKED), END])],
  ["a chunk before IHDR", pngFile([GAMMA, ihdr(), idat(PACKED), END])],
  ["IEND before the data", pngFile([ihdr(), END, idat(PACKED), END])],
  ["an IHDR of 14 bytes", pngFile([["IHDR", Buffer.concat([ihdr()[1], Buffer.alloc(1)])], idat(PACKED), END])],
  ["a compression method 1", withHeaderByte(10, 1)],
  ["a filter method 1", withHeaderByte(11, 1)],
  ["a filter method 64", withHeaderByte(11, 64)],
  ["an interlace method 2", withHeaderByte(12, 2)],
  ["a colour type 5", withHeaderByte(9, 5)],
  ["a bit depth of 3", withHeaderByte(8, 3)],
  ["no width", pngFile([ihdr({ width: 0 }), idat(PACKED), END])],
  ["no height", pngFile([ihdr({ height: 0 }), idat(PACKED), END])],
  [
    "a width over 1,000,000",
    pngFile([ihdr({ width: 1_000_001, height: 1, colorType: 0 }), idat(deflateSync(Buffer.alloc(1_000_002, 9))), END]),
  ],
  ["more height than its rows have", pngFile([ihdr({ height: 60 }), idat(PACKED), END])],
  [
    "30,000 by 30,000 pixels, of which a row is there",
    pngFile([
      ihdr({ width: 30_000, height: 30_000, colorType: 0, bitDepth: 1 }),
      idat(deflateSync(Buffer.alloc(3751))),
      END,
    ]),
  ],
  [
    "a chunk longer than the file",
    Buffer.concat([pngFile([ihdr()]), Buffer.from([0, 1, 0, 0]), Buffer.from("tEXt"), plain(PACKED).subarray(33)]),
  ],
  [
    "a chunk longer than there can be",
    Buffer.concat([pngFile([ihdr()]), Buffer.from([255, 255, 0, 0]), Buffer.from("tEXt"), plain(PACKED).subarray(33)]),
  ],
  ["an animation of one frame", pngFile([ihdr(), ANIMATION, idat(PACKED), END])],
  ["an animation without a frame", pngFile([ihdr(), ANIMATION, END])],
  ["eXIf that turns it", pngFile([ihdr(), ["eXIf", tiff(6)], idat(PACKED), END])],
  ["eXIf after its data", pngFile([ihdr(), idat(PACKED), ["eXIf", tiff(6)], END])],
  [
    "eXIf with the name in front that a JPEG has",
    pngFile([ihdr(), ["eXIf", Buffer.concat([Buffer.from("Exif\0\0"), tiff(6)])], idat(PACKED), END]),
  ],
  ["eXIf with a wrong CRC", withWrongCrc(pngFile([ihdr(), ["eXIf", tiff(6)], idat(PACKED), END]), "eXIf")],
  ["two eXIfs", pngFile([ihdr(), ["eXIf", tiff(1)], ["eXIf", tiff(6)], idat(PACKED), END])],
  ["its signature twice", Buffer.concat([PNG_SIGNATURE, plain(PACKED)])],
  ["interlaced, and cut off", pngFile([ihdr({ interlaced: true }), idat(PACKED.subarray(0, 100))])],
];

export const ODD_PNGS: readonly OddFile[] = FILES.map(([label, bytes]) => ({
  label: `a PNG with ${label}`,
  type: "image/png",
  bytes: new Uint8Array(bytes),
}));
