import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { exifWithPlace } from "../../support/media/exif.ts";
import { chunk, riff, vp8x } from "../../support/media/media-bytes.ts";
import { decode, fromPixels, photo } from "../../support/media/pictures.ts";

// RFC 9649, 2.7.1 and 3.4: viewers show only the parts of a WebP that its flags announce. The result must not announce parts that they
// ignored.

const WIDTH = 320;
const HEIGHT = 213;
const [ICC, ALPHA, EXIF] = [0x20, 0x10, 0x08];

let host: CompressionHost;
let account: CompressingAccount;
let parts: Record<
  "lossy" | "alpha" | "lossyUnderAlpha" | "lossless" | "losslessAlpha" | "profile" | "turn",
  Uint8Array
>;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  const rgb = await photo(WIDTH, HEIGHT).raw().toBuffer();
  const glass = fromPixels(WIDTH, HEIGHT, (x, y) => {
    const [red = 0, green = 0, blue = 0] = rgb.subarray((y * WIDTH + x) * 3);
    return [red, green, blue, (x * 3) & 255];
  });
  const [lossy, lossyAlpha, lossless, losslessAlpha] = await Promise.all([
    photo(WIDTH, HEIGHT).withIccProfile("p3").webp({ quality: 97 }).toBuffer(),
    glass.clone().webp({ quality: 97 }).toBuffer(),
    photo(WIDTH, HEIGHT).webp({ lossless: true, effort: 0 }).toBuffer(),
    glass.clone().webp({ lossless: true, effort: 0 }).toBuffer(),
  ]);
  parts = {
    lossy: chunkOf(lossy, "VP8 "),
    profile: chunkOf(lossy, "ICCP"),
    alpha: chunkOf(lossyAlpha, "ALPH"),
    lossyUnderAlpha: chunkOf(lossyAlpha, "VP8 "),
    lossless: chunkOf(lossless, "VP8L"),
    losslessAlpha: chunkOf(losslessAlpha, "VP8L"),
    turn: chunk("EXIF", exifWithPlace(6)),
  };
});

/** A chunk of a RIFF file, with its header. */
function chunkOf(file: Buffer, type: string): Uint8Array {
  const at = file.indexOf(type, 12, "latin1");
  if (at === -1) throw new Error(`No ${type}`);
  const length = file.readUInt32LE(at + 4);
  return Uint8Array.from(file.subarray(at, at + 8 + length + (length & 1)));
}

function extended(flags: number, ...names: (keyof typeof parts)[]): Buffer {
  return Buffer.from(riff("WEBP", vp8x(WIDTH, HEIGHT, flags), ...names.map((name) => parts[name])));
}

/** A simple lossless file whose header marks its alpha as unused. */
function withoutHint(name: "lossless" | "losslessAlpha", before = new Uint8Array()): Buffer {
  const picture = Uint8Array.from(parts[name]);
  // Chunk header, signature, then 14 bits each of width and height, and the bit.
  picture[12] = (picture[12] ?? 0) & ~0x10;
  return Buffer.from(riff("WEBP", before, picture));
}

describe("flags and chunks that disagree", () => {
  it.each<[string, () => Buffer]>([
    ["a profile without its flag", () => extended(0, "profile", "lossy")],
    ["a profile in a file that has no flags", () => Buffer.from(riff("WEBP", parts.lossy, parts.profile))],
    ["alpha of a lossy picture without its flag", () => extended(0, "alpha", "lossyUnderAlpha")],
    ["alpha of a lossless picture without its flag", () => extended(0, "losslessAlpha")],
    ["alpha of a lossless picture whose header denies it", () => withoutHint("losslessAlpha")],
    [
      "alpha that the flags announce, and the header of the lossless picture denies",
      () => withoutHint("losslessAlpha", vp8x(WIDTH, HEIGHT, ALPHA)),
    ],
    ["an orientation without its flag", () => extended(0, "lossy", "turn")],
  ])("A WebP whose flags and chunks disagree is kept as it is: %s", async (_, make) => {
    expect((await account.store(make(), "picture.webp")).result.compressed).toBe(false);
  });
});

describe("flags and chunks that agree", () => {
  it.each<[string, () => Buffer]>([
    ["with a profile", () => extended(ICC, "profile", "lossy")],
    ["with alpha of a lossy picture", () => extended(ALPHA, "alpha", "lossyUnderAlpha")],
    ["with alpha of a lossless picture", () => extended(ALPHA, "losslessAlpha")],
    ["with an orientation", () => extended(EXIF, "lossy", "turn")],
    ["with nothing of these", () => extended(0, "lossy")],
    ["with a lossless picture, of which the flags say no more", () => extended(0, "lossless")],
    ["with a lossless picture that is marked as opaque", () => withoutHint("lossless")],
    ["with all flags, and nothing that they announce", () => extended(ICC | ALPHA | EXIF, "lossy")],
  ])("A WebP whose flags and chunks agree is compressed: %s", async (_, make) => {
    const { result, bytes } = await account.store(make(), "picture.webp");
    expect(result).toMatchObject({ compressed: true, size: { width: WIDTH, height: HEIGHT } });
    expect((await decode(bytes)).pixels.length).toBe(WIDTH * HEIGHT * 4);
    expect((await sharp(bytes).metadata()).format).toBe("webp");
  });
});
