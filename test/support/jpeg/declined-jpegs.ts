import { readFile } from "node:fs/promises";
import { emptyProgressive } from "./bombs.ts";
import { type CoefficientPicture, readCoefficients } from "./coefficients.ts";
import { type OneBlockScan, oneBlockJpeg } from "./one-block-jpeg.ts";
import { makePicture } from "./picture.ts";
import { type JpegSegment, joinJpeg, makeSegment, splitJpeg } from "./segments.ts";
import { type TestScan, writeTestJpeg } from "./write-jpeg.ts";

/**
 * The result of libjpeg in WebAssembly: no picture; a picture with a warning that the file is damaged; or, without a warning, the picture
 * that Chromium shows or another picture.
 */
export type LibjpegVerdict = "refused" | "damaged" | "another" | "same";

/** A JPEG that the codec declines. */
export interface DeclinedJpeg {
  /** The codec's reason. */
  readonly reason: string;
  readonly label: string;
  readonly verdict: LibjpegVerdict;
  readonly bytes: Uint8Array;
}

const [SOF0, SOF2, DHT, SOS, DQT, DRI, APP1, APP2] = [0xc0, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, 0xe1, 0xe2];
/** 16 x 16 pixels in arithmetic coding (SOF9), as `cjpeg -arithmetic` of libjpeg-turbo wrote them. */
const ARITHMETIC =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQ" +
  "YEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//yQARCAAQABAD" +
  "AREAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwDBY0WRk/s+W4sMM0xZPflnooRJLWbsNs6uC0+vspMA9wsG7DyYG/oVIv/Z";

const DC: TestScan = { of: [0, 1, 2], se: 0 };
const TOGETHER: TestScan = { of: [0, 1, 2] };
const acScans = (rest: Partial<TestScan>) => [0, 1, 2].map((index) => ({ of: [index], ss: 1, se: 63, ...rest }));
/** All bits but the last of each coefficient alone, then the last: 126 scans. */
const ONE_BY_ONE = [
  [0, 1],
  [1, 0],
].flatMap(([ah = 0, al = 0]) => Array.from({ length: 63 }, (_, i) => ({ ss: i + 1, se: i + 1, ah, al })));

/** Scans of one block. After its mean, which is 0, the first scan skips fifteen zeros four times. */
const RUN_OUT: OneBlockScan = { ss: 0, se: 63, ac: 0xf1, bits: "0 01 01 01 01".replaceAll(" ", "") };
const LARGE_MEAN: OneBlockScan = { ss: 0, se: 63, dc: 15, bits: `0${"1".repeat(15)}0` };
const NO_MEAN: OneBlockScan = { ss: 0, se: 0, bits: "0" };
const LARGE_COEFFICIENT: OneBlockScan[] = [
  NO_MEAN,
  { ss: 1, se: 9, bits: "0" },
  { ss: 10, se: 10, al: 13, ac: 0x03, bits: "0111" },
];
const TWO_BITS: OneBlockScan[] = [
  NO_MEAN,
  { ss: 1, se: 63, al: 1, bits: "0" },
  { ss: 1, se: 63, ah: 1, al: 0, ac: 0x02, bits: "011" },
];

/**
 * A file for each reason for which the codec declines files, and several files on which decoders differ; bounds that only large pictures
 * reach are left out.
 * @param losslessPath a JPEG of SOF3
 */
export async function makeDeclinedJpegs(losslessPath: string): Promise<DeclinedJpeg[]> {
  const shape = { width: 96, height: 64 };
  const options = { quality: 90, chromaSubsampling: "4:4:4" };
  const source = await makePicture(shape).jpeg(options).toBuffer();
  const progressive = await makePicture(shape)
    .jpeg({ ...options, progressive: true })
    .toBuffer();
  const picture = readCoefficients(source);
  const { segments } = splitJpeg(source);
  const alter = (marker: number, change: (content: Buffer) => void, of = segments) => altered(of, marker, change);
  const before = (marker: number, ...added: Uint8Array[]) =>
    joinJpeg(segments.flatMap((one) => (one.marker === marker ? [...added, one] : [one])));
  const withoutAny = (marker: number, of = segments) => joinJpeg(of.filter((one) => one.marker !== marker));
  const scanned = (scans: TestScan[]) => writeTestJpeg(picture, { scans });
  const withData = (data: (old: Uint8Array) => Uint8Array) =>
    joinJpeg(segments.map((one) => (one.marker === SOS ? { ...one, data: data(one.data) } : one)));
  const frame = segments.find(({ marker }) => marker === SOF0) as JpegSegment;
  const restarts = writeTestJpeg(picture, { scans: [{ ...TOGETHER, restartInterval: 10 }] });

  const files: readonly (readonly [reason: string, label: string, verdict: LibjpegVerdict, bytes: Uint8Array])[] = [
    ["No SOI", "a byte before SOI", "refused", Buffer.concat([Uint8Array.of(0), source])],
    [
      "The file is cut off",
      "cut off before its scan",
      "refused",
      source.subarray(0, source.indexOf(Uint8Array.of(0xff, SOS))),
    ],
    [
      "The file is cut off",
      "cut off between two scans",
      "damaged",
      scanned([DC, ...acScans({}).slice(0, 2)]).subarray(0, -2),
    ],
    ["The data of a scan is cut off", "cut off in its scan", "damaged", source.subarray(0, source.length / 2)],
    [
      "The data of a scan is cut off",
      "half of a scan, and EOI",
      "damaged",
      withData((data) => data.subarray(0, data.length / 2)),
    ],
    ["Not a Huffman-coded DCT frame", "arithmetic coding", "refused", Buffer.from(ARITHMETIC, "base64")],
    ["Not a Huffman-coded DCT frame", "lossless", "refused", await readFile(losslessPath)],
    ["Not a Huffman-coded DCT frame", "hierarchical", "refused", before(SOF0, makeSegment(0xc5, frame.content))],
    ["Not 8 bits a sample", "12 bits a sample", "refused", alter(SOF0, (content) => content.writeUInt8(12, 0))],
    [
      "The frame header is damaged",
      "a height in DNL alone",
      "refused",
      alter(SOF0, (content) => content.writeUInt16BE(0, 1)),
    ],
    ["The frame header is damaged", "five components", "refused", before(SOF0, makeSegment(SOF0, manyComponents(5)))],
    [
      "Fractional sampling",
      "sampling of 3, 2 and 1",
      "refused",
      writeTestJpeg(fractional(picture), { scans: [TOGETHER] }),
    ],
    ["A reserved marker", "a reserved marker", "refused", before(SOF0, makeSegment(0x02, [1, 2]))],
    ["A second frame", "two frames", "refused", before(SOF0, makeSegment(SOF0, frame.content))],
    ["A scan before the frame", "no frame", "refused", withoutAny(SOF0)],
    ["No picture", "no scan", "refused", withoutAny(SOS)],
    ["A scan header is damaged", "a band backwards", "refused", scanned([DC, ...acScans({ ss: 9, se: 3 })])],
    [
      "A scan names an unknown component",
      "a scan of nothing",
      "refused",
      alter(SOS, (content) => content.writeUInt8(9, 1)),
    ],
    ["A scan lacks a table", "no quantisation tables", "refused", withoutAny(DQT)],
    [
      "A scan lacks a table",
      "progressive, no Huffman tables",
      "refused",
      withoutAny(DHT, splitJpeg(progressive).segments),
    ],
    [
      "A quantisation table is damaged",
      "half a quantisation table",
      "refused",
      before(SOF0, makeSegment(DQT, [0, 1, 2])),
    ],
    ["A Huffman table is damaged", "half a Huffman table", "refused", before(SOF0, makeSegment(DHT, [0, 9, 9, 9]))],
    [
      "A Huffman table has too many codes",
      "three codes of a bit",
      "refused",
      before(SOS, makeSegment(DHT, [0, 3, ...new Array<number>(15).fill(0), 1, 2, 3])),
    ],
    ["A restart interval is damaged", "half a restart interval", "refused", before(SOF0, makeSegment(DRI, [0]))],
    ["A restart marker is missing", "a restart marker that is another", "damaged", withWrongRestart(restarts)],
    [
      "No such Huffman code",
      "a scan of ones",
      "damaged",
      withData((data) => Buffer.alloc(data.length & ~1, "ff00", "hex")),
    ],
    ["A run leaves its band", "a run that leaves its block", "same", oneBlockJpeg(SOF0, [RUN_OUT])],
    ["A DC coefficient is too large", "a mean of 15 bits", "same", oneBlockJpeg(SOF0, [LARGE_MEAN])],
    ["A coefficient is too large", "a coefficient of 16 bits", "another", oneBlockJpeg(SOF2, LARGE_COEFFICIENT)],
    ["A refinement adds more than a bit", "a refinement of two bits", "damaged", oneBlockJpeg(SOF2, TWO_BITS)],
    ["Not all of the picture is there", "means alone", "another", scanned([DC])],
    [
      "Not all of the picture is there",
      "no chroma but its means",
      "another",
      scanned([DC, ...acScans({}).slice(0, 1)]),
    ],
    ["Not all of the picture is there", "not the last bits", "another", scanned([DC, ...acScans({ al: 1 })])],
    ["Not all of the picture is there", "no means", "damaged", scanned(acScans({}))],
    [
      "A scan is out of order",
      "a scan that comes twice",
      "same",
      scanned([{ of: [0] }, { of: [1] }, { of: [2] }, { of: [1] }]),
    ],
    ["A scan is out of order", "a refinement of nothing", "damaged", scanned([DC, ...acScans({ ah: 1, al: 0 })])],
    ["Too many scans", "127 scans", "another", emptyProgressive({ ...shape, scans: ONE_BY_ONE })],
    ["Too many segments of a profile", "256 pieces of a profile", "same", before(SOF0, ...manyPieces(256))],
    [LOST_PART, "a gain map that is cut off", "same", cutOff(before(SOF0, xmp('hdrgm:Version="1.0"')))],
    [LOST_PART, "a film that is missing", "same", before(SOF0, xmp('GCamera:MotionPhoto="1"'))],
  ];
  return files.map(([reason, label, verdict, bytes]) => ({ reason, label, verdict, bytes: new Uint8Array(bytes) }));
}

const LOST_PART = "A gain map or a film that cannot be written again";

/** The file with the beginning of a second picture. */
function cutOff(jpeg: Uint8Array): Buffer {
  return Buffer.concat([jpeg, Uint8Array.of(0xff, 0xd8, 0xff)]);
}

/** The file with the content of one kind of segment changed. */
function altered(segments: readonly JpegSegment[], marker: number, change: (content: Buffer) => void): Buffer {
  return joinJpeg(
    segments.map((one) => {
      if (one.marker !== marker) return one;
      const content = Buffer.from(one.content);
      change(content);
      return { ...one, content };
    }),
  );
}

function manyComponents(count: number): number[] {
  return [8, 0, 64, 0, 96, count, ...Array.from({ length: count }, (_, i) => [i + 1, 0x11, 0]).flat()];
}

/** The picture with sampling of 3, 2 and 1 across; its content does not matter. */
function fractional(picture: CoefficientPicture): CoefficientPicture {
  const components = picture.components.map((plane, i) => {
    const h = 3 - i;
    const mcusPerLine = Math.ceil(picture.width / 24);
    const paddedBlocksPerLine = mcusPerLine * h;
    const coefficients = new Int16Array(paddedBlocksPerLine * picture.mcuRows * 64);
    coefficients.set(plane.coefficients.subarray(0, coefficients.length));
    const blocksPerLine = Math.ceil(Math.ceil((picture.width * h) / 3) / 8);
    return { ...plane, h, v: 1, paddedBlocksPerLine, blocksPerLine, coefficients };
  });
  return { ...picture, mcusPerLine: Math.ceil(picture.width / 24), components };
}

function withWrongRestart(jpeg: Uint8Array): Buffer {
  const bytes = Buffer.from(jpeg);
  bytes[bytes.lastIndexOf(Uint8Array.of(0xff, 0xd1)) + 1] = 0xd3;
  return bytes;
}

function manyPieces(count: number): Buffer[] {
  return Array.from({ length: count }, () => makeSegment(APP2, "ICC_PROFILE\0\x01\x01"));
}

function xmp(property: string): Buffer {
  return makeSegment(APP1, `http://ns.adobe.com/xap/1.0/\0<x ${property}/>`);
}
