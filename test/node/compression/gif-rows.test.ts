import { beforeAll, describe, expect, it } from "vitest";
import { type Colour, type GifFrame, writeGif } from "../../support/gif/write-gif.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { type Compressor, openCompressor } from "../../support/png/compressor.ts";
import { readPng } from "../../support/png/read-png.ts";

// COMP-4: a static GIF becomes a PNG with the pixels that browsers show, read row by row.

const COLOURS: readonly Colour[] = Array.from({ length: 256 }, (_, i) => [i, 255 - i, (i * 7) & 255]);
const SEED = 20261122;

let compressor: Compressor;

beforeAll(async () => {
  compressor = await openCompressor();
});

interface Shown {
  readonly width: number;
  readonly height: number;
  readonly frame: GifFrame;
}

/** The picture that browsers show, 16 bits a sample: nothing outside the frame, nothing of the transparent colour. */
function shown({ width, height, frame }: Shown): Uint16Array {
  const pixels = new Uint16Array(width * height * 4);
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const index = frame.pixel(x, y);
      const [red = 0, green = 0, blue = 0] = COLOURS[index] ?? [];
      const place = ((y + (frame.top ?? 0)) * width + x + (frame.left ?? 0)) * 4;
      if (index !== frame.transparent) pixels.set([red * 257, green * 257, blue * 257, 65_535], place);
    }
  }
  return pixels;
}

describe("static GIFs by rows", () => {
  it("A static GIF keeps its pixels with any frame: interlaced, at any position, of any size", async () => {
    const random = seededRandom(SEED);
    const below = (end: number) => Math.floor(random() * end);
    for (let round = 0; round < 60; round++) {
      const [width, height] = [1 + below(60), 1 + below(60)];
      const [left, top] = [below(width), below(height)];
      const frame: GifFrame = {
        left,
        top,
        width: 1 + below(width - left),
        height: 1 + below(height - top),
        pixel: (x, y) => (round % 2 === 0 ? (x * 5 + y * 3) & 255 : (x >> 2) & 7),
        interlaced: random() < 0.5,
        ...(random() < 0.5 ? { transparent: below(8) } : {}),
      };
      // A comment larger than the PNG's palette, so that compression gains.
      const file = writeGif({ width, height, colours: COLOURS, comment: "-".repeat(2000), frames: [frame] });
      const result = await compressor.gif(file);
      if (result === undefined) throw new Error("The file was kept");
      const after = readPng(result);
      expect([after.width, after.height]).toEqual([width, height]);
      expect(after.pixels).toEqual(shown({ width, height, frame }));
    }
  });

  it.each([
    ["covers the screen", { width: 110, height: 60 }, { width: 110, height: 60 }],
    ["is higher than the screen, but not wider", { width: 80, height: 60 }, { width: 100, height: 60 }],
    ["leaves the screen on the right", { left: 30, width: 80, height: 40 }, { width: 110, height: 50 }],
    ["begins outside", { left: 100, top: 50, width: 50, height: 50 }, { width: 150, height: 100 }],
  ])("The result is as large as Chromium shows the GIF when its frame %s", async (_, place, size) => {
    const frame = { ...place, pixel: (x: number, y: number) => (x + y) & 255 };
    const result = await compressor.gif(writeGif({ width: 100, height: 50, colours: COLOURS, frames: [frame] }));
    if (result === undefined) throw new Error("The file was kept");
    expect(readPng(result).pixels).toEqual(shown({ ...size, frame }));
  });

  it("A static GIF is kept if it has no trailer or its data ends early", async () => {
    const frame = { width: 80, height: 60, pixel: (x: number, y: number) => (x + y) & 255 };
    const file = writeGif({ width: 80, height: 60, colours: COLOURS, frames: [frame] });
    expect(await compressor.gif(file)).toBeDefined();
    expect(await compressor.gif(file.subarray(0, -1))).toBeUndefined();
    expect(await compressor.gif(Buffer.concat([file.subarray(0, 3000), Buffer.from([0, 0x3b])]))).toBeUndefined();
  });
});
