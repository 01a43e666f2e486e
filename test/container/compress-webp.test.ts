import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exifWithPlace } from "../support/media/exif.ts";
import { bigEndian, chunk, riff, vp8, vp8l } from "../support/media/media-bytes.ts";
import { decode, fromPixels, meanError, photo } from "../support/media/pictures.ts";
import { Processor } from "../support/processor/processor.ts";

// COMP-4 and COMP-5: WebP stays WebP, with alpha and ICC profile; lossless sources stay lossless, animations as uploaded.

let processor: Processor;

beforeAll(async () => {
  processor = await Processor.start();
});

afterAll(() => processor?.[Symbol.asyncDispose]());

const fourCcs = (webp: Buffer) =>
  ["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L", "EXIF", "XMP "].filter((id) => webp.includes(id));
const glass = () => fromPixels(200, 150, (x, y) => [x, y, (x * y) & 255, x % 50 < 25 ? 255 : (x + y) % 256]);

describe("compressed WebPs", () => {
  it("A lower quality makes a WebP smaller and less exact", async () => {
    const original = await photo(400, 300).webp({ quality: 98 }).toBuffer();
    const source = await decode(original);
    const results = [];
    for (const quality of [50, 80]) {
      const { bytes, contentType, width, height } = await processor.compressed("image/webp", original, quality);
      expect({ contentType, width, height }).toEqual({ contentType: "image/webp", width: 400, height: 300 });
      results.push({ sizeBytes: bytes.length, error: meanError((await decode(bytes)).pixels, source.pixels) });
    }
    const [low, high] = results;
    expect(low?.sizeBytes).toBeLessThan(high?.sizeBytes ?? 0);
    expect(low?.error).toBeGreaterThan(high?.error ?? 0);
    expect(low?.error).toBeLessThan(6);
  });

  it("A compressed WebP keeps its alpha", async () => {
    const original = await glass().webp({ quality: 98 }).toBuffer();
    const { bytes } = await processor.compressed("image/webp", original);
    const alphas = async (file: Buffer) => sharp(file).extractChannel(3).raw().toBuffer();
    expect(fourCcs(bytes)).toEqual(["VP8X", "ALPH", "VP8 "]);
    expect(meanError(await alphas(bytes), await alphas(original))).toBeLessThan(0.5);
  });

  it("A compressed WebP keeps its colour profile byte for byte, and its pixels stay in that space", async () => {
    const original = await photo(200, 150).withIccProfile("p3").webp({ quality: 98 }).toBuffer();
    const { bytes } = await processor.compressed("image/webp", original);
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(original).metadata()).icc);
    expect(meanError((await decode(bytes)).pixels, (await decode(original)).pixels)).toBeLessThan(6);
  });

  it("A compressed WebP keeps only the orientation of its EXIF, and no XMP", async () => {
    const plain = await photo(200, 150).webp({ quality: 98 }).toBuffer();
    const exifWithFill = Buffer.concat([Buffer.from("Exif\0\xff", "latin1"), exifWithPlace(8)]);
    const original = extended(plain, 200, 150, 0x0c, chunk("EXIF", exifWithFill), chunk("XMP ", "<x:xmpmeta/>"));
    const { bytes, width, height } = await processor.compressed("image/webp", original);
    expect(fourCcs(bytes)).toEqual(["VP8X", "VP8 ", "EXIF"]);
    const { orientation, exif } = await sharp(bytes).metadata();
    expect({ orientation, width, height }).toEqual({ orientation: 8, width: 200, height: 150 });
    expect(exif?.includes("Somebody")).toBe(false);
  });

  it("A lossless WebP stays lossless to the last bit, with the colours of clear pixels", async () => {
    const original = await glass().webp({ lossless: true, exact: true, effort: 0 }).toBuffer();
    const { bytes } = await processor.compressed("image/webp", original);
    expect(fourCcs(bytes)).toEqual(["VP8L"]);
    expect((await decode(bytes)).pixels.equals((await decode(original)).pixels)).toBe(true);
  });
});

describe("kept WebPs", () => {
  it("An animated WebP is kept as it is", async () => {
    const frames = Buffer.alloc(40 * 80 * 3, 90).fill(200, 40 * 40 * 3);
    const raw = { width: 40, height: 80, channels: 3, pageHeight: 40 } as const;
    const original = await sharp(frames, { raw, animated: true }).webp({ quality: 98 }).toBuffer();
    expect(original.includes("ANMF")).toBe(true);
    expect(await processor.reasonToKeep("image/webp", original)).toMatch(/Animated/);
  });

  it("A WebP is kept as it is if less than 3 % would be saved", async () => {
    const original = await photo(300, 200).webp({ quality: 20 }).toBuffer();
    expect(await processor.reasonToKeep("image/webp", original)).toMatch(/Nothing to be saved/);
  });

  it.each<[string, () => Promise<Uint8Array> | Uint8Array, RegExp]>([
    ["over 100 megapixels, lossy", () => riff("WEBP", vp8(16_383, 16_383)), /Too many pixels/],
    ["over 100 megapixels, lossless", () => riff("WEBP", vp8l(16_384, 16_384)), /Too many pixels/],
    ["that breaks off", async () => (await photo(300, 200).webp().toBuffer()).subarray(0, 900), /Damaged/],
    ["without an image", () => riff("WEBP", chunk("ICCP", bigEndian(1, 40))), /Damaged/],
    ["whose image is not decodable", () => riff("WEBP", vp8(64, 64)), /Damaged/],
    ["that is something else", () => Buffer.from("RIFF....AVI and so on"), /Damaged/],
    ["of one byte", () => Buffer.from("R"), /Damaged/],
  ])("A WebP is kept as it is: %s", async (_, make, reason) => {
    expect(await processor.reasonToKeep("image/webp", await make())).toMatch(reason);
  });
});

/** The simple file as an extended file with more chunks after the image (RFC 9649, section 2.7). */
function extended(simple: Buffer, width: number, height: number, flags: number, ...more: Uint8Array[]): Buffer {
  const size = [width - 1, height - 1].flatMap((value) => [value & 255, value >> 8, 0]);
  return Buffer.from(riff("WEBP", chunk("VP8X", [flags, 0, 0, 0, ...size]), simple.subarray(12), ...more));
}
