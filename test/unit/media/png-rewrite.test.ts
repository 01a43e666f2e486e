import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compressPng } from "../../../src/media/png/compress-png.ts";
import { readPngChunks } from "../../../src/media/png/png-chunks.ts";
import { readModule } from "../../support/codecs/read-module.ts";
import { readPng } from "../../support/png/read-png.ts";
import { type Chunk, header, type PngPicture, pngFile, writePng } from "../../support/png/write-png.ts";

const pngEngine = await readModule("src/media/png/engine/png-engine.wasm");

// Only data that does not affect the pixels is removed.

const SIDE = 64;
const RGB: PngPicture = {
  width: SIDE,
  height: SIDE,
  colorType: 2,
  bitDepth: 8,
  pixel: (x, y) => [x * 4, y * 4, x ^ y],
};

function compress(file: Uint8Array) {
  return compressPng(new Uint8Array(file), { engine: pngEngine, yieldIfDue: () => undefined });
}

async function rewrite(file: Uint8Array): Promise<Buffer> {
  const result = await compress(file);
  if (result.outcome !== "compressed") throw new Error("It was kept");
  return Buffer.concat(result.pieces);
}

async function form(picture: PngPicture) {
  const original = writePng(picture);
  const { colorType, bitDepth, pixels } = readPng(await rewrite(original));
  expect(pixels).toEqual(readPng(original).pixels);
  return { colorType, bitDepth };
}

const TRANSPARENT_KEY: Chunk = ["tRNS", Buffer.from([0, 1, 0, 2, 0, 3])];
const SIGNIFICANT_BITS: Chunk = ["sBIT", Buffer.from([5, 6, 5])];

describe("PNG rewriting", async () => {
  it("A gradient after many strips of text is filtered from its first row, and the text is not", async () => {
    const width = 400;
    const bandRows = 10 * 16;
    const isText = (y: number) => Math.floor(y / bandRows) % 2 === 0;
    // Glyphs of 8 by 8 pixels in three colours of many, at places that hardly repeat.
    const glyph = (x: number, y: number) => (Math.imul((x >> 3) + 97 * (y >> 3), 0x9e3779b1) >>> 27) * 64 + (y & 7) * 8;
    const text = (x: number, y: number) => (Math.imul(glyph(x, y) + (x & 7), 0x85ebca6b) >>> 30) * 60;
    const pixel: PngPicture["pixel"] = (x, y) =>
      isText(y)
        ? [text(x, y), 40, text(x, y) >> 1]
        : [(x * y) >> 7, (x + y) >> 1, (x * x + y * y) >> 10].map((v) => v & 255);
    const original = writePng({ ...RGB, width, height: 4 * bandRows, pixel });
    const file = await rewrite(original);
    expect(readPng(file).pixels).toEqual(readPng(original).pixels);
    const data = [...readPngChunks(new Uint8Array(file))].find(({ type }) => type === "IDAT")?.data ?? new Uint8Array();
    const rows = inflateSync(data);
    const areFiltered = Array.from({ length: 4 * bandRows }, (_, y) => rows[y * (1 + 3 * width)] !== 0);
    expect(areFiltered).toEqual(areFiltered.map((_, y) => !isText(y)));
  });

  it("A rewritten PNG stays RGB if it has many colours", async () => {
    expect(await form(RGB)).toEqual({ colorType: 2, bitDepth: 8 });
  });

  it.each([
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [16, 4],
    [17, 8],
    [256, 8],
  ])("A rewritten PNG of %i colours has a palette of %i bits, for any width", async (colours, bitDepth) => {
    for (const width of [61, 62, 63, 64]) {
      const pixel: PngPicture["pixel"] = (x, y) => {
        const colour = (x * 7 + y * width) % colours;
        return [colour, (colour * 73) & 255, 255 - colour];
      };
      expect(await form({ ...RGB, width, height: 140, pixel })).toEqual({ colorType: 3, bitDepth });
    }
  });

  it("A rewritten PNG has a palette if it has only a few grays, with or without alpha", async () => {
    const gray: PngPicture["pixel"] = (x, y) => [(x + y) % 2 === 0 ? 255 : 20];
    expect(await form({ ...RGB, colorType: 0, pixel: gray })).toEqual({ colorType: 3, bitDepth: 1 });
    const clear: PngPicture["pixel"] = (x, y) => [90, 90, 90, ((x >> 2) + (y >> 2)) % 3 === 0 ? 0 : 128];
    expect(await form({ ...RGB, colorType: 6, pixel: clear })).toEqual({ colorType: 3, bitDepth: 1 });
  });

  it.each<[string, Partial<PngPicture>, { colorType: number; bitDepth: number }]>([
    [
      "alpha that is full",
      { colorType: 6, pixel: (x, y) => [x * 4, y * 4, x ^ y, 255] },
      { colorType: 2, bitDepth: 8 },
    ],
    [
      "colours that are gray",
      { pixel: (x, y) => [x * y, x * y, x * y].map((v) => v & 255) },
      { colorType: 0, bitDepth: 8 },
    ],
    [
      "low bytes that repeat",
      { bitDepth: 16, pixel: (x, y) => [x * 4, y * 4, x ^ y].map((v) => v * 257) },
      { colorType: 2, bitDepth: 8 },
    ],
    ["all but the index of few colours", { pixel: (x, y) => [x & 3, y & 7, 9] }, { colorType: 3, bitDepth: 8 }],
    [
      "a transparent colour that does not occur",
      { before: [TRANSPARENT_KEY], pixel: (x) => [x & 3, x & 3, x & 3] },
      { colorType: 3, bitDepth: 2 },
    ],
    [
      "significant bits of samples that there are no more",
      { before: [SIGNIFICANT_BITS], pixel: (x) => [x & 3, x & 3, x & 3] },
      { colorType: 3, bitDepth: 2 },
    ],
    [
      "all but two bits of gray",
      { colorType: 0, pixel: (x, y) => [(((x >> 2) ^ (y >> 3)) % 4) * 85] },
      { colorType: 0, bitDepth: 2 },
    ],
    [
      "all but the index of few colours with alpha",
      { colorType: 6, pixel: (x, y) => [x & 3, 5, 9, y & 7] },
      { colorType: 3, bitDepth: 8 },
    ],
  ])("A rewritten PNG loses %s", async (_, more, expected) => {
    expect(await form({ ...RGB, ...more })).toEqual(expected);
  });

  it.each<[string, Partial<PngPicture>]>([
    [
      "alpha that is full but for one pixel",
      { colorType: 6, pixel: (x, y) => [x * 4, y * 4, x ^ y, x + y === 126 ? 254 : 255] },
    ],
    [
      "16 bits that differ in the lowest of one sample",
      { bitDepth: 16, pixel: (x, y) => [x * 257, y * 257, x + y === 126 ? 256 : 0] },
    ],
    [
      "the samples that a transparent colour tells of",
      { before: [TRANSPARENT_KEY], pixel: (x, y) => (x === y ? [1, 2, 3] : [x * 4, y * 4, x ^ y]) },
    ],
  ])("A rewritten PNG keeps %s", async (_, more) => {
    const picture = { ...RGB, ...more };
    expect(await form(picture)).toEqual({ colorType: picture.colorType, bitDepth: picture.bitDepth });
  });

  it("A rewritten PNG has the same pixels if its rows are too long to be filtered", async () => {
    const picture: PngPicture = { ...RGB, width: 100_000, height: 2, pixel: (x, y) => [x & 255, (x >> 4) & 255, y] };
    expect(await form(picture)).toEqual({ colorType: 2, bitDepth: 8 });
  });

  it("A rewritten PNG has no palette if it is gray", async () => {
    const before: Chunk[] = [["PLTE", Buffer.alloc(6)]];
    const original = writePng({ ...RGB, before, pixel: (x, y) => [x * y, x * y, x * y].map((v) => v & 255) });
    const { chunks, colorType } = readPng(await rewrite(original));
    expect(colorType).toBe(0);
    expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "IDAT", "IEND"]);
  });

  const withData = (bytes: Uint8Array) =>
    pngFile([
      ["IHDR", header({ width: 4, height: 4, bitDepth: 8, colorType: 2 })],
      ["IDAT", deflateSync(bytes)],
      ["IEND", Buffer.alloc(0)],
    ]);

  it.each([
    ["is too short", withData(new Uint8Array(51))],
    ["is too long", withData(new Uint8Array(53))],
    ["has a filter that does not exist", withData(new Uint8Array(52).fill(9))],
    ["is a bomb", withData(new Uint8Array(5_000_000))],
  ])("A PNG is kept unchanged if its data %s", async (_, file) => {
    expect(await compress(file)).toEqual({ outcome: "kept", reason: "Damaged" });
  });
});
