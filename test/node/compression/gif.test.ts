import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type Colour, type GifFrame, type GifPicture, writeGif } from "../../support/gif/write-gif.ts";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { decode, photo } from "../../support/media/pictures.ts";

// COMP-4: a static GIF becomes a PNG and is compressed.

const WIDTH = 90;
const HEIGHT = 67;
const GLOBAL: readonly Colour[] = Array.from({ length: 256 }, (_, i) => [i, 255 - i, (i * 7) & 255]);
const LOCAL: readonly Colour[] = Array.from({ length: 256 }, (_, i) => [(i * 3) & 255, i, 255 - i]);
const WHOLE: GifFrame = { width: WIDTH, height: HEIGHT, pixel: (x, y) => (x * 2 + y) & 255 };

let host: CompressionHost;
let account: CompressingAccount;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
});

/** The picture that browsers show: nothing outside the frame, nothing of the transparent colour. */
function expectedPixels({ width, height, colours = GLOBAL, frames }: GifPicture): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  for (const frame of frames) {
    for (let y = 0; y < frame.height; y++) {
      for (let x = 0; x < frame.width; x++) {
        const index = frame.pixel(x, y);
        if (index === frame.transparent) continue;
        const place = ((y + (frame.top ?? 0)) * width + x + (frame.left ?? 0)) * 4;
        pixels.set([...((frame.colours ?? colours)[index] ?? [0, 0, 0]), 255], place);
      }
    }
  }
  return pixels;
}

/** The colour of a transparent pixel does not matter. */
function blanked(pixels: Buffer): Buffer {
  const copy = Buffer.from(pixels);
  for (let at = 0; at < copy.length; at += 4) if (copy[at + 3] === 0) copy.fill(0, at, at + 4);
  return copy;
}

describe("static GIFs", () => {
  const screen = { width: WIDTH, height: HEIGHT, colours: GLOBAL };
  const offset = { left: 11, top: 23, width: 40, height: 31, pixel: (x: number, y: number) => x * 6 + (y & 3) };
  const { colours: _, ...withoutTable } = screen;
  const CASES: readonly (readonly [string, GifPicture])[] = [
    ["with a global colour table", { ...screen, frames: [WHOLE] }],
    ["with a transparent colour", { ...screen, frames: [{ ...WHOLE, transparent: 40 }] }],
    ["that is interlaced", { ...screen, frames: [{ ...WHOLE, interlaced: true }] }],
    ["with a local colour table", { ...screen, frames: [{ ...WHOLE, colours: LOCAL }] }],
    ["with no other than a local colour table", { ...withoutTable, frames: [{ ...WHOLE, colours: LOCAL }] }],
    ["whose picture is smaller than its screen", { ...screen, background: 9, frames: [offset] }],
    ["that is all of that", { ...screen, frames: [{ ...offset, colours: LOCAL, transparent: 12, interlaced: true }] }],
    ["with a comment", { ...screen, comment: "Somebody", frames: [WHOLE] }],
    [
      "of two colours",
      { ...screen, colours: GLOBAL.slice(0, 2), frames: [{ ...WHOLE, pixel: (x, y) => (x ^ y) & 1 }] },
    ],
  ];

  it.each(CASES)("A static GIF becomes a PNG of the same pixels: %s", async (_, picture) => {
    const { result, bytes } = await account.store(writeGif(picture), "drawing.gif");
    expect(result).toMatchObject({
      compressed: true,
      compressionQuality: 65,
      mimeType: "image/png",
      originalFilename: "drawing.gif",
      size: { width: WIDTH, height: HEIGHT },
    });
    expect(result.filename).toMatch(/^uploads\/[0-9a-z]{26}\/[0-9a-z]{26}-drawing\.png$/);
    expect(result.filename).toContain(`/${result._id}-`);
    expect((await sharp(bytes).metadata()).format).toBe("png");
    expect(bytes.includes("Somebody")).toBe(false);
    const { pixels, width, height } = await decode(bytes);
    expect([width, height]).toEqual([WIDTH, HEIGHT]);
    expect(blanked(pixels).equals(expectedPixels(picture))).toBe(true);
  });

  it("A static GIF from an encoder becomes a PNG of the same pixels", async () => {
    const original = await photo(200, 150).gif({ effort: 1, interFrameMaxError: 0 }).toBuffer();
    const { result, bytes } = await account.store(original, "photo.gif");
    if (result.compressed) expect((await decode(bytes)).pixels.equals((await decode(original)).pixels)).toBe(true);
    expect(result.mimeType).toBe(result.compressed ? "image/png" : "image/gif");
  });

  it.each([
    ["holiday.GIF", "holiday.png"],
    ["holiday", "holiday.png"],
    ["two.parts.gif", "two.parts.png"],
    ["wrong.jpeg", "wrong.png"],
    ["ünï côdé.gif", "ünï côdé.png"],
    [`${"n".repeat(220)}.gif`, `${"n".repeat(196)}.png`],
  ])("The stored name of a converted GIF ends in its new type's extension: %s", async (name, storedAs) => {
    const gif = writeGif({ ...screen, frames: [WHOLE] });
    const answer = await account.upload({ name, bytes: gif });
    const result = (await answer.json()) as Parameters<CompressingAccount["check"]>[0];
    expect(answer.status).toBe(201);
    expect(result.filename.slice(result.filename.lastIndexOf("/") + 1)).toBe(`${result._id}-${storedAs}`);
    await account.check(result, gif, name);
  });

  it("A static GIF stays a GIF if the PNG would be larger", async () => {
    const tiny = await sharp({ create: { width: 4, height: 4, channels: 3, background: "#123" } })
      .gif()
      .toBuffer();
    const { result } = await account.store(tiny, "tiny.gif");
    expect(result).toMatchObject({ compressed: false, mimeType: "image/gif" });
    expect(result.filename.endsWith("tiny.gif")).toBe(true);
  });
});
