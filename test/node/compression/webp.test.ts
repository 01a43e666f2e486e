import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { decode, fromPixels, meanError, photo } from "../../support/media/pictures.ts";

// COMP-4 and COMP-5: WebP stays WebP, with alpha and ICC profile; a lossless source stays lossless.

const WIDTH = 320;
const HEIGHT = 213;
const PLACE = { IFD0: { Artist: "Somebody" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 12/1" } };

let host: CompressionHost;
let account: CompressingAccount;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
});

/** The types of a RIFF file's chunks. */
function chunksOf(file: Buffer): string[] {
  const types: string[] = [];
  for (let at = 12; at < file.length; ) {
    types.push(file.toString("latin1", at, at + 4));
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length & 1);
  }
  return types;
}

async function compress(original: Buffer) {
  const { result, bytes } = await account.store(original, "picture.webp");
  expect(result).toMatchObject({ compressed: true, mimeType: "image/webp", size: { width: WIDTH, height: HEIGHT } });
  // RFC 9649, 2.4: the size field of the file.
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  const metadata = await sharp(bytes).metadata();
  expect(metadata).toMatchObject({ format: "webp", width: WIDTH, height: HEIGHT });
  return { result, bytes, metadata, chunks: chunksOf(bytes) };
}

describe("lossy WebPs", () => {
  it("A compressed lossy WebP looks alike", async () => {
    const original = await photo(WIDTH, HEIGHT).webp({ quality: 97 }).toBuffer();
    const { bytes, chunks } = await compress(original);
    expect(chunks).toEqual(["VP8 "]);
    const [source, stored] = [await decode(original), await decode(bytes)];
    expect(meanError(source.pixels, stored.pixels)).toBeLessThan(6);
  });

  it("A compressed lossy WebP keeps its alpha as it was", async () => {
    const rgb = await photo(WIDTH, HEIGHT).ensureAlpha().raw().toBuffer();
    const picture = fromPixels(WIDTH, HEIGHT, (x, y) => {
      const [red = 0, green = 0, blue = 0] = rgb.subarray((y * WIDTH + x) * 4);
      return [red, green, blue, (x * 3) & 255];
    });
    const original = await picture.webp({ quality: 97 }).toBuffer();
    const { bytes, metadata } = await compress(original);
    expect(metadata.hasAlpha).toBe(true);
    const [source, stored] = [await decode(original), await decode(bytes)];
    const alphaOf = (pixels: Buffer) => pixels.filter((_, at) => at % 4 === 3);
    expect(alphaOf(stored.pixels)).toEqual(alphaOf(source.pixels));
  });

  it("A compressed lossy WebP keeps its profile", async () => {
    const original = await photo(WIDTH, HEIGHT).withIccProfile("p3").webp({ quality: 97 }).toBuffer();
    const { metadata, chunks } = await compress(original);
    expect(metadata.icc).toBeDefined();
    expect(metadata.icc).toEqual((await sharp(original).metadata()).icc);
    expect(chunks).toEqual(["VP8X", "ICCP", "VP8 "]);
  });

  it("A compressed lossy WebP keeps profile, alpha and orientation in the order of the standard", async () => {
    const picture = fromPixels(WIDTH, HEIGHT, (x, y) => [x & 255, y, (x * y) & 255, (x + y) & 255]);
    const original = await picture
      .withIccProfile("p3")
      .withMetadata({ orientation: 8, exif: PLACE })
      .webp({ quality: 97 })
      .toBuffer();
    const { metadata, chunks, bytes } = await compress(original);
    expect(metadata).toMatchObject({ orientation: 8, hasAlpha: true });
    expect(chunks).toEqual(["VP8X", "ICCP", "ALPH", "VP8 ", "EXIF"]);
    // RFC 9649, 2.7.1: ICC, alpha and Exif; no XMP, no animation.
    expect(bytes[20]).toBe(0x38);
    expect(bytes.includes("Somebody")).toBe(false);
  });

  it("A compressed lossy WebP keeps its orientation; names, places and XMP are dropped", async () => {
    const original = await photo(WIDTH, HEIGHT)
      .withMetadata({ orientation: 6, exif: PLACE })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Somebody</x:xmpmeta>')
      .webp({ quality: 97 })
      .toBuffer();
    expect(chunksOf(original)).toEqual(expect.arrayContaining(["EXIF", "XMP "]));
    const { metadata, chunks, bytes } = await compress(original);
    expect(metadata.orientation).toBe(6);
    expect(chunks).toEqual(["VP8X", "ICCP", "VP8 ", "EXIF"]);
    expect(bytes.includes("Somebody")).toBe(false);
    expect(metadata.exif?.length).toBeLessThan(40);
  });

  it("A lower quality makes a lossy WebP smaller and less exact", async () => {
    const original = await photo(WIDTH, HEIGHT).webp({ quality: 99 }).toBuffer();
    const source = await decode(original);
    const found: { bytes: number; error: number }[] = [];
    for (const compressionQuality of [50, 65, 80, 92]) {
      await account.change({ compressionQuality });
      const { bytes, result } = await compress(original);
      expect(result.compressionQuality).toBe(compressionQuality);
      found.push({ bytes: bytes.length, error: meanError(source.pixels, (await decode(bytes)).pixels) });
    }
    await account.change({ compressionQuality: 65 });
    expect(found).toEqual([...found].sort((one, other) => one.bytes - other.bytes));
    expect(found).toEqual([...found].sort((one, other) => other.error - one.error));
  });

  it("A lossy WebP that is already small is kept", async () => {
    const original = await photo(WIDTH, HEIGHT).webp({ quality: 40, effort: 6 }).toBuffer();
    expect((await account.store(original, "small.webp")).result.compressed).toBe(false);
  });
});

describe("lossless WebPs", () => {
  const CASES = [
    ["without alpha", () => 255],
    ["with alpha", (x: number) => (x * 5) & 255],
    ["with colours in transparent pixels", (x: number) => (x % 3 === 0 ? 0 : 255)],
  ] as const;

  it.each(CASES)("A lossless WebP stays lossless, with every pixel as it was: %s", async (_, alpha) => {
    const picture = fromPixels(WIDTH, HEIGHT, (x, y) => [(x * y) & 255, (x ^ y) & 255, (y * 3) & 255, alpha(x)]);
    const original = await picture.webp({ lossless: true, exact: true, effort: 0 }).toBuffer();
    const { bytes, chunks } = await compress(original);
    expect(chunks).toEqual(["VP8L"]);
    expect((await decode(bytes)).pixels.equals((await decode(original)).pixels)).toBe(true);
  });

  it("A lossless WebP keeps profile and orientation, and its header announces alpha", async () => {
    const picture = fromPixels(WIDTH, HEIGHT, (x, y) => [(x * y) & 255, y, x & 255, y]);
    const original = await picture
      .withIccProfile("p3")
      .withMetadata({ orientation: 3, exif: PLACE })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
    const { bytes, chunks, metadata } = await compress(original);
    expect(chunks).toEqual(["VP8X", "ICCP", "VP8L", "EXIF"]);
    expect(bytes[20]).toBe(0x38);
    expect(metadata).toMatchObject({ orientation: 3, hasAlpha: true });
    expect((await decode(bytes)).pixels.equals((await decode(original)).pixels)).toBe(true);
  });
});
