import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exifWithPlace } from "../support/exif.ts";
import { photo } from "../support/pictures.ts";
import { SAMPLES } from "../support/png/passes.ts";
import { readPng } from "../support/png/read-png.ts";
import { type Chunk, type ColorType, header, type PngPicture, pngFile, writePng } from "../support/png/write-png.ts";
import { Processor } from "../support/processor.ts";

// DESIGN, "Upload path": PNG lossless, every bit of depth and transparency kept; APNG as uploaded.

const WIDTH = 61;
const HEIGHT = 47;
const DEPTHS: Readonly<Record<ColorType, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

let processor: Processor;

beforeAll(async () => {
  processor = await Processor.start();
});

afterAll(() => processor?.[Symbol.asyncDispose]());

function picture(colorType: ColorType, bitDepth: number, more: Partial<PngPicture> = {}): Buffer {
  const samples = SAMPLES[colorType] ?? 1;
  const pixel: PngPicture["pixel"] = (x, y) =>
    Array.from({ length: samples }, (_, i) => (x * 1031 + (y >> 2) * 517 * (i + 1) + i * 7919) & 0xffff);
  return writePng({ width: WIDTH, height: HEIGHT, colorType, bitDepth, pixel, ...more });
}

function palette(colors: number): Chunk {
  return ["PLTE", Buffer.from(Array.from({ length: colors * 3 }, (_, i) => (i * 73 + 19) & 255))];
}

const chunksOf = (png: Buffer, type: string) => readPng(png).chunks.filter((chunk) => chunk.type === type);

describe("the pixels of a PNG", () => {
  const forms = Object.entries(DEPTHS).flatMap(([colorType, depths]) =>
    depths.flatMap((bitDepth) =>
      [false, true].map((interlaced) => ({ colorType: Number(colorType) as ColorType, bitDepth, interlaced })),
    ),
  );

  it.each(forms)("stay the same to the last bit: $colorType, $bitDepth bits, interlaced $interlaced", async (form) => {
    const { colorType, bitDepth, interlaced } = form;
    const before = colorType === 3 ? [palette(2 ** bitDepth)] : [];
    const original = picture(colorType, bitDepth, { interlaced, before });
    const { bytes, contentType, width, height } = await processor.compressed("image/png", original);
    expect({ contentType, width, height }).toEqual({ contentType: "image/png", width: WIDTH, height: HEIGHT });
    expect(bytes.length).toBeLessThan(original.length);
    expect(readPng(bytes).pixels).toEqual(readPng(original).pixels);
    expect(chunksOf(bytes, "IHDR")).toEqual(chunksOf(original, "IHDR"));
  });

  it.each([
    ["a palette", 3, 8, Buffer.from([0, 128, 255, 7])],
    ["gray", 0, 16, Buffer.from([0x12, 0x34])],
    ["RGB", 2, 16, Buffer.from([0, 1, 2, 3, 4, 5])],
  ] as const)("keep their transparency: %s", async (_, colorType, bitDepth, alpha) => {
    const before: Chunk[] = [...(colorType === 3 ? [palette(256)] : []), ["tRNS", alpha]];
    const original = picture(colorType, bitDepth, { before });
    const { bytes } = await processor.compressed("image/png", original);
    expect(readPng(bytes).pixels).toEqual(readPng(original).pixels);
    expect(chunksOf(bytes, "tRNS")[0]?.data).toEqual(alpha);
  });

  it("stay the same where the source uses every filter, and a foreign decoder agrees", async () => {
    const original = await photo(400, 300).png({ compressionLevel: 1, adaptiveFiltering: true }).toBuffer();
    const { bytes } = await processor.compressed("image/png", original);
    expect(readPng(bytes).pixels).toEqual(readPng(original).pixels);
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
  });

  it.each([1, 2, 5, 9])("stay the same where it is %i wide and interlaced", async (width) => {
    const original = picture(6, 16, { width, height: 90, interlaced: true });
    const { bytes } = await processor.compressed("image/png", original);
    expect(readPng(bytes).pixels).toEqual(readPng(original).pixels);
  });
});

describe("a PNG's chunks", () => {
  const COLOR: Chunk[] = [
    ["gAMA", Buffer.from([0, 0, 0xb1, 0x8f])],
    ["cHRM", Buffer.alloc(32, 1)],
    ["sRGB", Buffer.from([1])],
    ["cICP", Buffer.from([9, 16, 0, 1])],
    ["iCCP", Buffer.concat([Buffer.from("profile\0\0"), deflateSync(Buffer.alloc(500, 7))])],
    ["sBIT", Buffer.from([5, 6, 5])],
    ["pHYs", Buffer.from([0, 0, 0x0b, 0x13, 0, 0, 0x0b, 0x13, 1])],
  ];

  it.each(COLOR)("that say what the colours mean stay: %s", async (type, data) => {
    const { bytes } = await processor.compressed("image/png", picture(2, 8, { before: [[type, data]] }));
    expect(chunksOf(bytes, type)).toEqual([{ type, data }]);
  });

  it("that say who, when and where go, wherever they stand", async () => {
    const telling: Chunk[] = [
      ["tEXt", Buffer.from("Author\0Somebody")],
      ["iTXt", Buffer.from("XML:com.adobe.xmp\0\0\0\0\0<x/>")],
      ["tIME", Buffer.from([7, 0xe8, 1, 1, 0, 0, 0])],
      ["prVt", Buffer.from("anything")],
    ];
    const { bytes } = await processor.compressed("image/png", picture(2, 8, { before: telling, after: telling }));
    expect(readPng(bytes).chunks.map(({ type }) => type)).toEqual(["IHDR", "IDAT", "IEND"]);
  });

  it("of EXIF become the orientation alone", async () => {
    const original = picture(2, 8, { after: [["eXIf", exifWithPlace(6)]] });
    const { bytes } = await processor.compressed("image/png", original);
    const { orientation, exif } = await sharp(bytes).metadata();
    expect(orientation).toBe(6);
    expect(exif?.length).toBeLessThan(40);
    expect(chunksOf(bytes, "eXIf")[0]?.data.includes("Somebody")).toBe(false);
  });

  it("of EXIF go where they turn nothing", async () => {
    const original = picture(2, 8, { before: [["eXIf", exifWithPlace(1)]] });
    const { bytes } = await processor.compressed("image/png", original);
    expect(chunksOf(bytes, "eXIf")).toEqual([]);
  });
});

describe("a PNG is kept", () => {
  const rows = (sizeBytes: number) => deflateSync(Buffer.alloc(sizeBytes));
  const ihdr = (width: number, height: number, bitDepth = 8, colorType: ColorType = 2): Chunk => [
    "IHDR",
    header({ width, height, bitDepth, colorType }),
  ];
  const end: Chunk = ["IEND", Buffer.alloc(0)];
  const whole = () => picture(2, 8, { level: 6 });

  it.each<[string, () => Buffer, RegExp]>([
    ["that is animated", () => picture(2, 8, { before: [["acTL", Buffer.alloc(8)]] }), /animated/],
    ["of 900 megapixels in a few bytes", () => pngFile([ihdr(30_000, 30_000), ["IDAT", rows(9)], end]), /too large/],
    ["of one pixel by two thousand million", () => pngFile([ihdr(1, 0x7fffffff), ["IDAT", rows(9)], end]), /too large/],
    ["whose data is too short", () => pngFile([ihdr(10, 10), ["IDAT", rows(100)], end]), /ends early/],
    ["without data", () => pngFile([ihdr(10, 10), end]), /damaged/],
    ["that breaks off", () => whole().subarray(0, 200), /ends early/],
    ["whose data is no zlib stream", () => pngFile([ihdr(4, 4), ["IDAT", Buffer.alloc(80, 9)], end]), /damaged/],
    ["with a filter that does not exist", () => badFilter(), /damaged/],
    ["with a critical chunk that nobody knows", () => pngFile([["CgBI", Buffer.alloc(4)], ihdr(1, 1), end]), /unknown/],
    ["of an impossible colour type", () => pngFile([ihdr(4, 4, 8, 5 as ColorType), end]), /damaged IHDR/],
    ["of an impossible depth", () => pngFile([ihdr(4, 4, 4, 6), end]), /damaged IHDR/],
    ["of no width", () => pngFile([ihdr(0, 4), end]), /damaged IHDR/],
    ["without its palette", () => pngFile([ihdr(4, 4, 8, 3), ["IDAT", rows(20)], end]), /palette/],
    ["without a header", () => pngFile([["IDAT", rows(20)], end]), /header/],
    ["that is something else", () => Buffer.from("GIF89a, or so it says"), /not a PNG/],
    ["with a byte changed on its way", () => changed(whole(), 60), /damaged/],
  ])("%s", async (_, make, reason) => {
    expect(await processor.reasonToKeep("image/png", make())).toMatch(reason);
  });

  it("that was compressed before: nothing is left to gain", async () => {
    const original = await photo(200, 200).png().toBuffer();
    const { bytes } = await processor.compressed("image/png", original);
    expect(await processor.reasonToKeep("image/png", bytes)).toMatch(/not smaller/);
  });

  function badFilter(): Buffer {
    return pngFile([ihdr(4, 4), ["IDAT", deflateSync(Buffer.alloc(4 * 13, 9))], end]);
  }

  function changed(file: Buffer, at: number): Buffer {
    const copy = Buffer.from(file);
    copy[at] = (copy[at] ?? 0) ^ 0x55;
    return copy;
  }
});
