import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type Colour, extension, type GifPicture, writeGif } from "../../support/gif/write-gif.ts";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { decode } from "../../support/media/pictures.ts";
import { withMemoryGrowth } from "../../support/stack/memory-growth.ts";

// GIF89a, 23 to 26 and appendix A: viewers skip any extension by the lengths of its sub-blocks.

const WIDTH = 60;
const HEIGHT = 45;
const MIB = 1024 * 1024;
const MAX_MS = 5000;
/** Several copies of the files take some of it. */
const MAX_GROWN_BYTES = 150 * MIB;
const COLOURS: readonly Colour[] = Array.from({ length: 256 }, (_, i) => [i, 255 - i, (i * 7) & 255]);
const PICTURE: GifPicture = {
  width: WIDTH,
  height: HEIGHT,
  colours: COLOURS,
  frames: [{ width: WIDTH, height: HEIGHT, pixel: (x, y) => (x * 3 + y) & 255, transparent: 77 }],
};

let host: CompressionHost;
let account: CompressingAccount;
let plain: Buffer;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  plain = (await compress(PICTURE)).bytes;
});

async function compress(picture: GifPicture) {
  const stored = await account.store(writeGif(picture), "drawing.gif");
  expect(stored.result).toMatchObject({
    compressed: true,
    mimeType: "image/png",
    size: { width: WIDTH, height: HEIGHT },
  });
  return stored;
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 151 + (i >> 3) * 37) & 255));

/** A reader that misread a length would take this for a picture of one colour and any size. */
function hiddenFrame(side: number): Buffer {
  const size = [side & 255, side >> 8];
  return Buffer.from([0, 0x2c, 0, 0, 0, 0, ...size, ...size, 0, 2, 1, 0x04, 0, 0x3b]);
}

async function displayP3(): Promise<Buffer> {
  const one = { width: 1, height: 1, channels: 3, background: "#369" } as const;
  const { icc } = await sharp(await sharp({ create: one }).withIccProfile("p3").png().toBuffer()).metadata();
  if (icc === undefined) throw new Error("sharp wrote no profile");
  return icc;
}

describe("static GIFs with an extension", () => {
  const CASES: readonly (readonly [string, () => Uint8Array | Promise<Uint8Array>])[] = [
    ["an ICC profile, as ImageMagick writes it", async () => extension(0xff, await displayP3(), latin1("ICCRGBG1012"))],
    ["XMP, which has no sub-blocks but ends like one", () => xmp()],
    ["an application's, of nothing but zeros", () => extension(0xff, Buffer.alloc(700), latin1("ZEROS___1.0"))],
    ["a loop of an animation", () => extension(0xff, Buffer.from([1, 0, 0]), latin1("NETSCAPE2.0"))],
    ["an application's whose name is short", () => extension(0xff, noise(300), latin1("abc"))],
    ["a comment with the beginning of a picture", () => extension(0xfe, hiddenFrame(WIDTH))],
    ["a comment with a NUL and a comma", () => extension(0xfe, Buffer.from([65, 0, 0x2c, 1, 2, 3, 0, 0, 0x3b]))],
    ["a comment that is empty", () => extension(0xfe, Buffer.alloc(0))],
    ["an unknown label", () => extension(0xce, Buffer.from([0x2c, 1, 2, 3]))],
    ["an unknown label with a trailer in it", () => extension(0xee, Buffer.from([0x3b, 1, 2, 3]))],
    ["a label of zero", () => extension(0, noise(900))],
    ["a plain text", () => extension(1, latin1("Hello"), Buffer.from([0, 0, 0, 0, 60, 0, 45, 0, 8, 8, 1, 2]))],
    ["a hundred extensions", () => Buffer.concat(Array.from({ length: 100 }, (_, i) => extension(i, noise(i * 5))))],
  ];

  it.each(CASES)("A static GIF with an extension is compressed as if it had none: %s", async (_, make) => {
    const { bytes } = await compress({ ...PICTURE, blocks: [await make()] });
    expect(bytes.equals(plain)).toBe(true);
  });

  it("The compressed GIF looks as libvips shows the original", async () => {
    const gif = writeGif({ ...PICTURE, blocks: [extension(0xfe, hiddenFrame(WIDTH))] });
    const [source, stored] = [await decode(gif), await decode(plain)];
    expect(stored.pixels.filter((_, at) => at % 4 === 3)).toEqual(source.pixels.filter((_, at) => at % 4 === 3));
    expect(stored.pixels.every((value, at) => value === source.pixels[at] || source.pixels[at | 3] === 0)).toBe(true);
  });
});

/** XMP as it is, with a trailer that leads any reader of sub-blocks to the end (XMP, part 3, 1.1.2). */
function xmp(): Buffer {
  const packet = latin1('<x:xmpmeta xmlns:x="adobe:ns:meta/">Somebody</x:xmpmeta>');
  const trailer = [1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0];
  return Buffer.concat([Buffer.from([0x21, 0xff, 11]), latin1("XMP DataXMP"), packet, Buffer.from(trailer)]);
}

describe("graphic control extensions", () => {
  const control = (flags: number, transparent: number) => extension(0xf9, Buffer.from([flags, 0, 0, transparent]));
  // The frame's own extension follows these.
  const picture = (...blocks: Uint8Array[]) => ({ ...PICTURE, blocks });

  it("The last graphic control extension of a static GIF counts", async () => {
    expect((await compress(picture(control(1, 5)))).bytes.equals(plain)).toBe(true);
  });

  it.each([
    ["with a byte too many", extension(0xf9, Buffer.from([1, 0, 0, 9, 0]))],
    ["with a byte too few", extension(0xf9, Buffer.from([1, 0, 0]))],
    ["without any", extension(0xf9, Buffer.alloc(0))],
    ["in two sub-blocks", extension(0xf9, Buffer.from([0, 0, 9]), Buffer.from([1]))],
  ])("A malformed graphic control extension keeps the file as it is, because viewers differ: %s", async (_, block) => {
    const { result } = await account.store(writeGif(picture(block)), "drawing.gif");
    expect(result).toMatchObject({ compressed: false, mimeType: "image/gif" });
  });
});

describe("bombs in a static GIF", () => {
  it.each([
    ["a hidden picture of 12,000 square in a comment", () => extension(0xfe, hiddenFrame(12_000))],
    ["a hidden picture of 65,535 square in an unknown extension", () => extension(0xce, hiddenFrame(65_535))],
    ["six megabytes of sub-blocks of one byte", () => smallBlocks(3 * MIB)],
    ["forty thousand unknown extensions", () => Buffer.alloc(5 * 40_000, Buffer.from([0x21, 0xce, 1, 0x2c, 0]))],
  ])("A bomb in a static GIF takes no memory and no time: %s", async (_, make) => {
    const file = writeGif({ ...PICTURE, blocks: [make()] });
    const began = performance.now();
    const { done, grownBytes } = await withMemoryGrowth(() => account.store(file, "drawing.gif"));
    expect(performance.now() - began).toBeLessThan(MAX_MS);
    expect(done.bytes.equals(plain)).toBe(true);
    expect(grownBytes).toBeLessThan(MAX_GROWN_BYTES);
  });

  it("Small sub-blocks take no memory for each of them", async () => {
    const gif = writeGif(PICTURE);
    // Data after the last pixel's code is ignored.
    const file = Buffer.concat([gif.subarray(0, -2), smallBlocks(8 * MIB).subarray(2), gif.subarray(-1)]);
    const { done, grownBytes } = await withMemoryGrowth(() => account.store(file, "drawing.gif"));
    expect(done.bytes.equals(plain)).toBe(true);
    expect(grownBytes).toBeLessThan(MAX_GROWN_BYTES);
  });
});

/** An unknown extension of this number of sub-blocks. */
function smallBlocks(count: number): Buffer {
  return Buffer.concat([Buffer.from([0x21, 0xce]), Buffer.alloc(2 * count, Buffer.from([1, 0x2c])), Buffer.from([0])]);
}
