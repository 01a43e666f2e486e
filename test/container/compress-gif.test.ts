import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { photo } from "../support/pictures.ts";
import { readPng } from "../support/png/read-png.ts";
import { Processor } from "../support/processor.ts";
import { type GifFrame, type GifPicture, writeGif } from "../support/processor-gif.ts";

// DESIGN, "Upload path": static GIF -> PNG, animated as uploaded.

const COLORS = Buffer.from(Array.from({ length: 256 * 3 }, (_, i) => (i * 89 + 7) & 255));
const BLACK_AND_WHITE = Buffer.from([0, 0, 0, 255, 255, 255]);
const FRAME: GifFrame = { width: 50, height: 37, pixel: (x, y) => (x * 5 + y * 37) & 255 };

let processor: Processor;

beforeAll(async () => {
  processor = await Processor.start();
});

afterAll(() => processor?.[Symbol.asyncDispose]());

function picture(frame: Partial<GifFrame> = {}, more: Partial<GifPicture> = {}): GifPicture {
  return { width: 50, height: 37, palette: COLORS, frames: [{ ...FRAME, ...frame }], ...more };
}

const gif = (...form: Parameters<typeof picture>) => writeGif(picture(...form));

/** What a browser shows: nothing where the frame is not (it takes no notice of the background colour) and where it is transparent. */
function shown({ width, height, palette, frames: [frame] }: GifPicture): number[] {
  const { left = 0, top = 0, pixel, transparentIndex, ...own } = frame ?? FRAME;
  const colors = own.palette ?? palette ?? COLORS;
  return Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [(at % width) - left, Math.floor(at / width) - top];
    if (x < 0 || y < 0 || x >= own.width || y >= own.height) return [0, 0, 0, 0];
    const index = pixel(x, y);
    return index === transparentIndex ? [0, 0, 0, 0] : [...colors.subarray(index * 3, index * 3 + 3), 255];
  }).flat();
}

const rgba = (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer();

/** A graphic control of five bytes, where there are four (GIF89a, 23). */
function withLongControl(): Buffer {
  const file = gif({ transparentIndex: 9 });
  const at = file.indexOf(Buffer.from([0x21, 0xf9, 4]));
  return Buffer.concat([
    file.subarray(0, at + 2),
    Buffer.from([5]),
    file.subarray(at + 3, at + 7),
    Buffer.from([0]),
    file.subarray(at + 7),
  ]);
}

describe("a static GIF", () => {
  it.each<[string, GifPicture, { bitDepth: number; colors: number }]>([
    ["of 256 colours", picture(), { bitDepth: 8, colors: 256 }],
    ["that is interlaced", picture({ interlaced: true }), { bitDepth: 8, colors: 256 }],
    [
      "with a palette of its frame's own",
      picture({ palette: Buffer.from(COLORS).reverse() }),
      { bitDepth: 8, colors: 256 },
    ],
    ["with a transparent colour", picture({ transparentIndex: 9 }), { bitDepth: 8, colors: 256 }],
    ["that uses 16 of its colours", picture({ pixel: (x, y) => ((x + y) % 16) * 3 }), { bitDepth: 4, colors: 16 }],
    ["that uses three of its colours", picture({ pixel: (x) => 200 + (x % 3) }), { bitDepth: 2, colors: 3 }],
    [
      "in black and white",
      picture({ pixel: (x, y) => (x ^ y) & 1 }, { palette: BLACK_AND_WHITE }),
      { bitDepth: 1, colors: 2 },
    ],
    [
      "with the same colour twice",
      picture({ pixel: (x) => x % 4, palette: Buffer.alloc(12) }),
      { bitDepth: 1, colors: 1 },
    ],
    [
      "smaller than its screen",
      picture({ left: 7, top: 3, width: 20, height: 11, pixel: (x) => x }),
      { bitDepth: 8, colors: 21 },
    ],
    ["without a trailer", picture({}, { trailer: false }), { bitDepth: 8, colors: 256 }],
  ])("becomes a PNG of the same pixels: %s", async (_, form, { bitDepth, colors }) => {
    const { bytes, contentType, width, height } = await processor.compressed("image/gif", writeGif(form));
    expect({ contentType, width, height }).toEqual({ contentType: "image/png", width: 50, height: 37 });
    expect((await rgba(bytes)).equals(Buffer.from(shown(form)))).toBe(true);
    const png = readPng(bytes);
    expect(png).toMatchObject({ colorType: 3, bitDepth });
    expect(png.chunks.find(({ type }) => type === "PLTE")?.data.length).toBe(colors * 3);
  });

  it("as an encoder makes it becomes a smaller PNG of the same pixels", async () => {
    const original = await photo(300, 200).gif().toBuffer();
    const { bytes } = await processor.compressed("image/gif", original);
    expect(bytes.length).toBeLessThan(original.length);
    expect((await rgba(bytes)).equals(await rgba(original))).toBe(true);
  });
});

describe("a GIF is kept", () => {
  it.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ["that is animated", () => gif({}, { frames: [FRAME, FRAME] }), /animated/],
    ["of 65,535 square", () => gif({}, { width: 65_535, height: 65_535 }), /too large/],
    ["whose frame is larger than its screen", () => gif({}, { width: 20 }), /not within/],
    ["whose frame is empty", () => gif({ width: 0 }), /not within/],
    ["without an image", () => gif({}, { frames: [] }), /no image/],
    ["without a palette", () => writeGif({ width: 50, height: 37, frames: [FRAME] }), /palette/],
    ["with a colour that is not in its palette", () => gif({ palette: BLACK_AND_WHITE }), /damaged/],
    ["that breaks off", () => gif().subarray(0, 1200), /ends early/],
    ["whose codes end early", () => gif({ height: 36 }).fill(37, 797, 798), /early|within|damaged/],
    ["with a graphic control in a form of its own", withLongControl, /damaged/],
    ["that is something else", () => Buffer.from("\x89PNG and so on"), /not a GIF/],
    ["of one byte", () => Buffer.from("G"), /ends early/],
    ["that 257 colours would be needed for", () => gif({}, { width: 51 }), /too many colours/],
  ])("%s", async (_, make, reason) => {
    expect(await processor.reasonToKeep("image/gif", await make())).toMatch(reason);
  });

  it("whose code stream is damaged, wherever", async () => {
    const original = await photo(60, 40).gif().toBuffer();
    for (let at = 820; at < original.length - 300; at += 397) {
      const damaged = Buffer.from(original);
      damaged.fill(0xff, at, at + 3);
      const response = await processor.compress("image/gif", 65, damaged);
      expect([200, 422]).toContain(response.status);
      await response.arrayBuffer();
    }
  });
});
