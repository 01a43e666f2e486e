import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { SAMPLES } from "../../support/png/passes.ts";
import { readPng } from "../../support/png/read-png.ts";
import { type Chunk, type ColorType, type PngPicture, writePng } from "../../support/png/write-png.ts";

// COMP-4: PNG is lossless, with every bit of depth and transparency.

const WIDTH = 61;
const HEIGHT = 47;

let host: CompressionHost;
let account: CompressingAccount;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
});

/** Bits that differ from pixel to pixel and from sample to sample, also the lowest of 16 bits. */
function pattern(samples: number): PngPicture["pixel"] {
  return (x, y) => Array.from({ length: samples }, (_, i) => (x * 1031 + (y >> 2) * 517 * (i + 1) + i * 7919) & 0xffff);
}

/** A palette of 2^depth colours, `alphas` of them translucent. */
function palette(bitDepth: number, alphas = 0): Chunk[] {
  const colours = Buffer.from(Array.from({ length: 3 * 2 ** bitDepth }, (_, i) => (i * 73 + 19) & 255));
  const alpha = Buffer.from(Array.from({ length: alphas }, (_, i) => (i * 41) & 255));
  const chunks: Chunk[] = [["PLTE", colours]];
  return alphas === 0 ? chunks : [...chunks, ["tRNS", alpha]];
}

const key = (...values: number[]) =>
  ["tRNS", Buffer.from(values.flatMap((value) => [value >> 8, value & 255]))] as const;

type Form = readonly [label: string, colorType: ColorType, bitDepth: number, more?: Partial<PngPicture>];

const FORMS: readonly Form[] = [
  ...[1, 2, 4, 8, 16].map((depth): Form => [`gray of ${depth} bits`, 0, depth]),
  ...[8, 16].map((depth): Form => [`gray of ${depth} bits with alpha`, 4, depth]),
  ...[8, 16].map((depth): Form => [`RGB of ${depth} bits`, 2, depth]),
  ...[8, 16].map((depth): Form => [`RGB of ${depth} bits with alpha`, 6, depth]),
  ...[1, 2, 4, 8].map((depth): Form => [`a palette of ${depth} bits`, 3, depth, { before: palette(depth) }]),
  ...[1, 2, 4, 8].map((depth): Form => {
    return [`a palette of ${depth} bits with transparency`, 3, depth, { before: palette(depth, 2 ** depth) }];
  }),
  ["a palette whose first colours alone have alpha", 3, 8, { before: palette(8, 3) }],
  ["gray of 8 bits with a colour key", 0, 8, { before: [key(31)] }],
  ["gray of 2 bits with a colour key", 0, 2, { before: [key(1)] }],
  ["gray of 16 bits with a colour key", 0, 16, { before: [key(517)], pixel: (x, y) => [x % 2 ? 517 : 516 + (y % 3)] }],
  ["RGB of 8 bits with a colour key", 2, 8, { before: [key(1, 2, 3)], pixel: (x, y) => [1, 2, x % 3 ? 3 : y] }],
  ["RGB of 16 bits with a colour key", 2, 16, { before: [key(257, 2, 3)], pixel: (x, y) => [257, 2 + (y % 2), x % 5] }],
  ["RGB of 16 bits that 8 would do for", 2, 16, { pixel: (x, y) => [x, y, x ^ y].map((value) => value * 257) }],
  ["RGB of 16 bits that differ in the lowest alone", 2, 16, { pixel: (x, y) => [x, y, x ^ y].map((v) => v * 257 + 1) }],
  ["RGB with alpha whose clear pixels have colours", 6, 8, { pixel: (x, y) => [x * 4, y * 5, 99, x % 4 ? 255 : 0] }],
  ["RGB with alpha that is gray and full", 6, 8, { pixel: (x, y) => [x * y, x * y, x * y, 255] }],
  ["one colour", 2, 8, { pixel: () => [200, 100, 50] }],
];

function draw([, colorType, bitDepth, more]: Form, interlaced: boolean): Buffer {
  return writePng({
    width: WIDTH,
    height: HEIGHT,
    colorType,
    bitDepth,
    interlaced,
    pixel: pattern(SAMPLES[colorType] ?? 1),
    ...more,
  });
}

async function seenBySharp(png: Buffer): Promise<Buffer> {
  return sharp(png, { ignoreIcc: true }).ensureAlpha().toColourspace("srgb").raw({ depth: "uchar" }).toBuffer();
}

describe("Pixels of a PNG", () => {
  for (const interlaced of [false, true]) {
    for (const form of FORMS)
      it(`A compressed PNG has the same pixels to the last bit: ${form[0]}${interlaced ? ", interlaced" : ""}`, async () => {
        const original = draw(form, interlaced);
        const { result, bytes } = await account.store(original, "picture.png");
        expect(result).toMatchObject({ compressed: true, compressionQuality: 65, mimeType: "image/png" });
        expect(result.size).toEqual({ width: WIDTH, height: HEIGHT });
        const [source, stored] = [readPng(original), readPng(bytes)];
        expect([stored.width, stored.height]).toEqual([WIDTH, HEIGHT]);
        expect(stored.pixels).toEqual(source.pixels);
        expect((await seenBySharp(bytes)).equals(await seenBySharp(original))).toBe(true);
      });
  }

  it.each([1, 2, 7, 8, 9])("An interlaced PNG that is %i pixels wide keeps its pixels", async (width) => {
    const picture = { width, height: 40, colorType: 6, bitDepth: 16, pixel: pattern(4), interlaced: true } as const;
    const original = writePng(picture);
    const { result, bytes } = await account.store(original, "narrow.png");
    expect(result.compressed).toBe(true);
    expect(readPng(bytes).pixels).toEqual(readPng(original).pixels);
  });
});
