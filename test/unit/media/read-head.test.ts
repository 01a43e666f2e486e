import { describe, expect, it } from "vitest";
import { MEDIA_TYPES, type MediaType } from "../../../src/domain/media-types.ts";
import { readHead } from "../../../src/media/first-bytes.ts";
import {
  bigEndian,
  chunk,
  exif,
  frame,
  gifOf,
  jpegOf,
  pngChunk,
  pngOf,
  riff,
  SAMPLES,
  tiff,
  vp8,
  vp8l,
  vp8x,
} from "../../support/media/media-bytes.ts";
import { bytesOf } from "../../support/media/samples.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const IMAGES = SAMPLES.filter(({ size }) => size !== undefined);
const FILMS = SAMPLES.filter(({ size }) => size === undefined);

/** Undefined if neither side is known. */
function sizeOf(type: MediaType, bytes: Bytes): [number, number] | undefined {
  const { width, height } = readHead(type, bytes, false);
  return width === 0 && height === 0 ? undefined : [width, height];
}

it.each(IMAGES)("$label is $size", ({ type, bytes, size }) => {
  expect(sizeOf(type, bytes)).toEqual(size);
});

it.each(IMAGES)("$label is $size in a view of a longer buffer", ({ type, bytes, size }) => {
  expect(sizeOf(type, bytesOf([1, 2, 3], bytes, bytes).subarray(3, 3 + bytes.length))).toEqual(size);
});

it.each(FILMS)("The first bytes of $label contain no dimensions", ({ type, bytes }) => {
  expect(sizeOf(type, bytes)).toBeUndefined();
});

it.each(IMAGES)("$label that ends early has no dimensions or the true ones", ({ type, bytes, size }) => {
  const lengths = Array.from(bytes.keys());
  const told = lengths.map((length) => sizeOf(type, bytes.subarray(0, length)));
  expect(told[0]).toBeUndefined();
  // The orientation is unknown until the part with it was read.
  const either = [size, size?.toReversed()].map((pair) => JSON.stringify(pair));
  for (const pair of told) if (pair !== undefined) expect(either).toContain(JSON.stringify(pair));
});

it.each(MEDIA_TYPES)("A file with only the signature of %s has no dimensions", (type) => {
  expect(sizeOf(type, bytesOf())).toBeUndefined();
  expect(sizeOf(type, new Uint8Array(5000))).toBeUndefined();
});

it.each<[string, MediaType, Bytes]>([
  ["JPEG without width", "image/jpeg", jpegOf(frame(0, 480))],
  ["JPEG whose height comes behind its first scan", "image/jpeg", jpegOf(frame(640, 0))],
  ["PNG without width", "image/png", pngOf(0, 3)],
  ["PNG without height", "image/png", pngOf(3, 0)],
  ["PNG of 2^31 columns (PNG, 7.1)", "image/png", pngOf(2 ** 31, 1)],
  ["PNG of 2^31 rows (PNG, 7.1)", "image/png", pngOf(1, 2 ** 31)],
  ["GIF without width", "image/gif", gifOf(0, 6)],
  ["GIF without height", "image/gif", gifOf(6, 0)],
  ["lossy WebP without width", "image/webp", riff("WEBP", vp8(0, 9))],
  ["lossy WebP without start code", "image/webp", riff("WEBP", chunk("VP8 ", [0x30, 1, 0, 0, 0, 0, 9, 0, 9, 0]))],
  ["lossless WebP without signature", "image/webp", riff("WEBP", chunk("VP8L", [0x2e, 1, 1, 1, 1], [0, 0, 0, 0, 0]))],
  ["WebP of an unknown kind", "image/webp", riff("WEBP", chunk("ALPH", new Uint8Array(20)), vp8(3, 3))],
])("A %s has no dimensions", (_, type, bytes) => {
  expect(sizeOf(type, bytes)).toBeUndefined();
});

describe("PNG", () => {
  it("A PNG has up to 2^31 - 1 columns and rows (PNG, 7.1)", () => {
    expect(sizeOf("image/png", pngOf(2 ** 31 - 1, 2 ** 31 - 1))).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("A PNG with orientation %i is rotated as browsers rotate it", (orientation) => {
    const bytes = pngOf(7, 3, pngChunk("gAMA", bigEndian(45_455, 4)), pngChunk("eXIf", tiff(orientation, "II")));
    expect(sizeOf("image/png", bytes)).toEqual(orientation < 5 ? [7, 3] : [3, 7]);
  });

  it("A PNG ignores an orientation after its image data, as browsers do", () => {
    expect(sizeOf("image/png", pngOf(7, 3, pngChunk("IDAT", [0]), pngChunk("eXIf", tiff(6))))).toEqual([7, 3]);
  });

  it("A PNG ignores an orientation in another chunk", () => {
    expect(sizeOf("image/png", pngOf(7, 3, pngChunk("tEXt", pngChunk("eXIf", tiff(6)))))).toEqual([7, 3]);
  });

  it.each<[string, Bytes]>([
    ["is empty", pngChunk("eXIf")],
    ["is no TIFF", pngChunk("eXIf", "Exif\0\0", tiff(6))],
    ["is longer than the file", bytesOf([0x7f, 255, 255, 255], "eXIf", tiff(6).subarray(0, 20))],
  ])("A PNG keeps its dimensions if its eXIf chunk %s", (_, chunkBytes) => {
    expect(sizeOf("image/png", pngOf(7, 3, chunkBytes))).toEqual([7, 3]);
  });

  it("A PNG keeps its dimensions after endless chunks", () => {
    const endless = bytesOf(pngOf(7, 3), new Uint8Array(3_000_000));
    expect(sizeOf("image/png", endless)).toEqual([7, 3]);
  });
});

describe("WebP", () => {
  it("A lossy WebP has dimensions of 14 bits; the upper two bits are a scale (RFC 6386, 9.1)", () => {
    expect(sizeOf("image/webp", riff("WEBP", vp8(16_383, 16_383, 3)))).toEqual([16_383, 16_383]);
    expect(sizeOf("image/webp", riff("WEBP", vp8(1, 1, 1)))).toEqual([1, 1]);
  });

  it("A lossless WebP has 1 to 16,384 columns and rows", () => {
    expect(sizeOf("image/webp", riff("WEBP", vp8l(1, 1)))).toEqual([1, 1]);
    expect(sizeOf("image/webp", riff("WEBP", vp8l(16_384, 16_384)))).toEqual([16_384, 16_384]);
  });

  it("A lossless WebP may be shorter than the headers of the other kinds", () => {
    const shortest = riff("WEBP", vp8l(9, 2, 0));
    expect(shortest).toHaveLength(26);
    expect(sizeOf("image/webp", shortest)).toEqual([9, 2]);
    expect(sizeOf("image/webp", shortest.subarray(0, 24))).toBeUndefined();
  });

  it("A WebP has its canvas's dimensions, not a frame's", () => {
    const animation = riff("WEBP", vp8x(2 ** 24, 1, 2), chunk("ANIM", new Uint8Array(6)), vp8(10, 20));
    expect(sizeOf("image/webp", animation)).toEqual([2 ** 24, 1]);
  });

  it("A WebP ignores the orientation in its EXIF, as browsers do", () => {
    const withExif = riff("WEBP", vp8x(70, 11, 8), vp8(70, 11), chunk("EXIF", tiff(6)));
    expect(sizeOf("image/webp", withExif)).toEqual([70, 11]);
    expect(sizeOf("image/webp", riff("WEBP", vp8x(70, 11, 8), chunk("EXIF", exif(tiff(6)))))).toEqual([70, 11]);
  });
});
