import { makeSegment, splitJpeg } from "../jpeg/segments.ts";
import { exif, tiff } from "../media/media-bytes.ts";
import { photo } from "../media/pictures.ts";
import type { OddFile } from "./odd-file.ts";

const [WIDTH, HEIGHT] = [64, 48];
const [SOF0, DHT, DQT, SOS, DNL, EOI, APP0, APP1] = [0xc0, 0xc4, 0xdb, 0xda, 0xdc, 0xd9, 0xe0, 0xe1];

type Piece = Uint8Array | readonly number[];

interface Parts {
  /** Segments with their markers; the scan's segment includes its data. */
  readonly all: readonly { readonly marker: number; readonly bytes: Buffer }[];
}

async function partsOf(progressive: boolean): Promise<Parts> {
  const file = await photo(WIDTH, HEIGHT).jpeg({ quality: 90, progressive }).toBuffer();
  const all = splitJpeg(file).segments.map(({ marker, content, data }) => ({
    marker,
    bytes: Buffer.concat([makeSegment(marker, content), data]),
  }));
  return { all };
}

const END = [0xff, EOI];
const join = (...pieces: Piece[]) => Buffer.concat([[0xff, 0xd8], ...pieces].map((piece) => Buffer.from(piece)));

/** The file with these bytes before every segment of a kind, or of all. */
function before({ all }: Parts, stray: Piece, marker?: number): Buffer {
  return join(
    ...all.flatMap((part) => (marker === undefined || part.marker === marker ? [stray, part.bytes] : [part.bytes])),
    END,
  );
}

function without({ all }: Parts, ...markers: number[]): Buffer {
  return join(...all.filter(({ marker }) => !markers.includes(marker)).map(({ bytes }) => bytes), END);
}

/** The frame header with one byte of its content changed. */
function withFrame({ all }: Parts, ...changes: (readonly [at: number, value: number])[]): Piece[] {
  return all.map(({ marker, bytes }) => {
    if (marker !== SOF0) return bytes;
    const changed = Buffer.from(bytes);
    for (const [at, value] of changes) changed[4 + at] = value;
    return changed;
  });
}

const heightOf = (height: number) =>
  [
    [1, height >> 8],
    [2, height & 255],
  ] as const;
const widthOf = (width: number) =>
  [
    [3, width >> 8],
    [4, width & 255],
  ] as const;
const dnl = (height: number) => makeSegment(DNL, [height >> 8, height & 255]);

export async function makeOddJpegs(): Promise<OddFile[]> {
  const [plain, progressive] = await Promise.all([partsOf(false), partsOf(true)]);
  const whole = without(plain);
  const scanAt = whole.indexOf(Buffer.from([0xff, SOS]));
  const turned = exif(tiff(6));
  const place = makeSegment(APP1, Buffer.concat([Buffer.from("Exif\0\0"), tiff(6)]));
  const grey = await photo(WIDTH, HEIGHT).greyscale().jpeg().toBuffer();
  const behindScan = (...pieces: Piece[]) => join(...plain.all.map(({ bytes }) => bytes), ...pieces, END);
  const files: (readonly [label: string, bytes: Buffer])[] = [
    ["nothing odd", whole],
    ["progressive scans", without(progressive)],
    ["grey alone", grey],
    ["its height in DNL alone", join(...withFrame(plain, ...heightOf(0)), dnl(HEIGHT), END)],
    ["its height in its frame and in DNL", behindScan(dnl(HEIGHT))],
    ["another height in DNL", behindScan(dnl(HEIGHT / 2))],
    ["no height at all", join(...withFrame(plain, ...heightOf(0)), END)],
    ["no width", join(...withFrame(plain, ...widthOf(0)), END)],
    ["RST after SOI", join([0xff, 0xd0], ...plain.all.map(({ bytes }) => bytes), END)],
    ["RST7 after SOI", join([0xff, 0xd7], ...plain.all.map(({ bytes }) => bytes), END)],
    ["TEM after SOI", join([0xff, 0x01], ...plain.all.map(({ bytes }) => bytes), END)],
    ["SOI twice", join([0xff, 0xd8], ...plain.all.map(({ bytes }) => bytes), END)],
    ["a reserved marker after SOI", join(makeSegment(0x02, [1, 2]), ...plain.all.map(({ bytes }) => bytes), END)],
    ["a JPGn marker after SOI", join(makeSegment(0xf3, [1, 2]), ...plain.all.map(({ bytes }) => bytes), END)],
    ["DNL after SOI", join(dnl(9), ...plain.all.map(({ bytes }) => bytes), END)],
    ["EXP after SOI", join(makeSegment(0xdf, [1]), ...plain.all.map(({ bytes }) => bytes), END)],
    ["a JPG marker after SOI", join(makeSegment(0xc8, [1]), ...plain.all.map(({ bytes }) => bytes), END)],
    ["DAC after SOI", join(makeSegment(0xcc, [0, 16]), ...plain.all.map(({ bytes }) => bytes), END)],
    [
      "DHP after SOI",
      join(makeSegment(0xde, [8, 0, 48, 0, 64, 1, 1, 0x11, 0]), ...plain.all.map(({ bytes }) => bytes), END),
    ],
    ["a marker of 0 after SOI", join([0xff, 0x00], ...plain.all.map(({ bytes }) => bytes), END)],
    ["a fill byte before every marker", before(plain, [0xff])],
    ["RST before every segment", before(plain, [0xff, 0xd3])],
    ["TEM before every segment", before(plain, [0xff, 0x01])],
    ["SOI before its frame", before(plain, [0xff, 0xd8], SOF0)],
    ["a stray byte after SOI", join([7], ...plain.all.map(({ bytes }) => bytes), END)],
    ["a stray byte before its frame", before(plain, [7], SOF0)],
    ["ten stray zeros before its frame", before(plain, new Uint8Array(10), SOF0)],
    ["10,000 stray bytes before its frame", before(plain, new Uint8Array(10_000).fill(7), SOF0)],
    ["a stray FF 00 before its frame", before(plain, [0xff, 0], SOF0)],
    ["a stray byte before its scan", before(plain, [7], SOS)],
    ["stray bytes before its quantisation tables", before(plain, [1, 2, 3], DQT)],
    ["stray bytes before its Huffman tables", before(plain, [1, 2, 3], DHT)],
    ["stray bytes before its end", behindScan([1, 2, 3])],
    ["Exif, then stray bytes", join(turned, [0, 0], ...plain.all.map(({ bytes }) => bytes), END)],
    [
      "stray bytes, then Exif",
      join(
        makeSegment(APP0, "JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
        [0, 0],
        place,
        ...plain.all.map(({ bytes }) => bytes),
        END,
      ),
    ],
    [
      "Exif after its frame",
      join(...plain.all.flatMap(({ marker, bytes }) => (marker === SOS ? [turned, bytes] : [bytes])), END),
    ],
    ["Exif after its scan", behindScan(turned)],
    [
      "Exif before SOI's segments and after, of which the first counts",
      join(turned, exif(tiff(1)), ...plain.all.map(({ bytes }) => bytes), END),
    ],
    ["a segment of length 1", before(plain, [0xff, 0xe5, 0, 1], SOF0)],
    ["a segment of length 0", before(plain, [0xff, 0xe5, 0, 0], SOF0)],
    ["a segment longer than the file", before(plain, [0xff, 0xe5, 0xff, 0xff], SOF0)],
    ["no Huffman tables", without(plain, DHT)],
    ["no quantisation tables", without(plain, DQT)],
    ["no frame", without(plain, SOF0)],
    ["no scan", without(plain, SOS)],
    ["no EOI", whole.subarray(0, -2)],
    ["an end in its scan", whole.subarray(0, scanAt + 100)],
    ["an end after 1 byte of its scan", whole.subarray(0, scanAt + 15)],
    ["an end after its scan's header", whole.subarray(0, scanAt + 14)],
    ["an end before its scan", whole.subarray(0, scanAt)],
    ["an end in its frame", whole.subarray(0, whole.indexOf(Buffer.from([0xff, SOF0])) + 8)],
    ["an empty scan", Buffer.concat([whole.subarray(0, scanAt + 14), Buffer.from(END)])],
    ["a scan of zeros", Buffer.concat([whole.subarray(0, scanAt + 14), Buffer.alloc(200), Buffer.from(END)])],
    [
      "a scan of ones",
      Buffer.concat([
        whole.subarray(0, scanAt + 14),
        Buffer.from(Array.from({ length: 400 }, (_, i) => (i % 2 ? 0 : 0xff))),
        Buffer.from(END),
      ]),
    ],
    [
      "RST at once in its scan",
      Buffer.concat([whole.subarray(0, scanAt + 14), Buffer.from([0xff, 0xd0]), whole.subarray(scanAt + 14)]),
    ],
    [
      "its scan before its frame",
      join(
        ...[...plain.all]
          .sort((a, b) => Number(a.marker === SOF0) - Number(b.marker === SOF0))
          .map(({ bytes }) => bytes),
        END,
      ),
    ],
    [
      "a second frame",
      before(plain, Buffer.from(withFrame(plain)[plain.all.findIndex(({ marker }) => marker === SOF0)] as Buffer), SOS),
    ],
    ["a height of 65,500", join(...withFrame(plain, ...heightOf(65_500)), END)],
    ["a height of 65,501", join(...withFrame(plain, ...heightOf(65_501)), END)],
    ["a width of 65,501", join(...withFrame(plain, ...widthOf(65_501)), END)],
    ["a height that it does not have", join(...withFrame(plain, ...heightOf(HEIGHT * 3)), END)],
    ["12 bits a sample", join(...withFrame(plain, [0, 12]), END)],
    ["5 bits a sample", join(...withFrame(plain, [0, 5]), END)],
    ["a sampling factor of 0", join(...withFrame(plain, [7, 0x02]), END)],
    ["a sampling factor of 5", join(...withFrame(plain, [7, 0x52]), END)],
    ["a quantisation table that is not there", join(...withFrame(plain, [8, 3]), END)],
    ["a frame header of another length", before(plain, makeSegment(SOF0, [8, 0, 48, 0, 64, 3, 1, 0x11, 0]), SOF0)],
    ["two components in its frame", join(...withFrame(plain, [5, 2]), END)],
    [
      "no components",
      join(
        ...plain.all.map(({ marker, bytes }) =>
          marker === SOF0 ? makeSegment(SOF0, [8, 0, HEIGHT, 0, WIDTH, 0]) : bytes,
        ),
        END,
      ),
    ],
    ...[0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf].map((marker) => {
      const at = whole.indexOf(Buffer.from([0xff, SOF0]));
      const changed = Buffer.from(whole);
      changed[at + 1] = marker;
      return [`a frame of marker ${marker.toString(16)}`, changed] as const;
    }),
    [
      "300 KB of profile before its frame",
      before(plain, Buffer.concat(Array(5).fill(makeSegment(0xe2, Buffer.alloc(65_000, 1)))), SOF0),
    ],
  ];
  return files.map(([label, bytes]) => ({
    label: `a JPEG with ${label}`,
    type: "image/jpeg",
    bytes: new Uint8Array(bytes),
  }));
}
