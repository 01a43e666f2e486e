import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { writeGif } from "../../support/gif/write-gif.ts";
import { type CompressingAccount, CompressionHost, type ErrorBody } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { type Chunk, header, type PngPicture, pngFile } from "../../support/png/write-png.ts";

// An unreadable image is 400 with `details: {file}`, with and without compression.

let host: CompressionHost;
let accounts: CompressingAccount[];
let jpeg: Buffer;
let webp: { lossy: Buffer; lossless: Buffer };

beforeAll(async () => {
  host = await CompressionHost.shared();
  accounts = [await host.openAccount({ autoCompress: true }), await host.openAccount({ autoCompress: false })];
  jpeg = await photo(80, 60).jpeg().toBuffer();
  webp = {
    lossy: await photo(80, 60).webp().toBuffer(),
    lossless: await photo(80, 60).webp({ lossless: true }).toBuffer(),
  };
});

const END: Chunk = ["IEND", Buffer.alloc(0)];
const DATA: Chunk = ["IDAT", deflateSync(Buffer.alloc(40 * 61))];

function png(size: Partial<PngPicture>, ...chunks: Chunk[]): Buffer {
  const ihdr = header({ width: 20, height: 40, colorType: 2, bitDepth: 8, ...size });
  return pngFile([["IHDR", ihdr], ...chunks]);
}

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (i * 151 + (i >> 3) * 37) & 127));
}

function until(bytes: Buffer, marker: number): Buffer {
  return bytes.subarray(0, bytes.indexOf(Buffer.from([0xff, marker])));
}

const frame = { width: 8, height: 8, pixel: () => 0 };
const gif = (change: Partial<typeof frame>) =>
  writeGif({ width: 8, height: 8, colours: [[1, 2, 3], [4, 5, 6]], frames: [{ ...frame, ...change }] }); // biome-ignore format: a table

const CASES: readonly (readonly [label: string, name: string, make: () => Buffer])[] = [
  ["a PNG of a header alone", "a.png", () => png({})],
  ["a PNG without image data", "a.png", () => png({}, END)],
  ["a PNG whose image data is empty", "a.png", () => png({}, ["IDAT", Buffer.alloc(0)], END)],
  ["a PNG of invalid image data", "a.png", () => png({}, ["IDAT", noise(500)], END)],
  ["a PNG without width", "a.png", () => png({ width: 0 }, DATA, END)],
  ["a PNG without height", "a.png", () => png({ height: 0 }, DATA, END)],
  ["a PNG of an invalid colour type", "a.png", () => png({ colorType: 5 as 4 }, DATA, END)],
  ["a PNG of an invalid bit depth", "a.png", () => png({ bitDepth: 3 }, DATA, END)],
  ["a PNG with a palette that is missing", "a.png", () => png({ colorType: 3 }, DATA, END)],
  ["a PNG of a signature and noise", "a.png", () => Buffer.concat([png({}).subarray(0, 16), noise(400)])],
  ["a JPEG that ends before its frame", "a.jpg", () => until(jpeg, 0xc0)],
  ["a JPEG that ends before its scan", "a.jpg", () => until(jpeg, 0xda)],
  ["a JPEG whose scan is empty", "a.jpg", () => Buffer.concat([until(jpeg, 0xda), jpeg.subarray(-2)])],
  ["a JPEG of a marker and noise", "a.jpg", () => Buffer.concat([jpeg.subarray(0, 4), noise(400)])],
  ["a WebP that ends before its picture", "a.webp", () => webp.lossy.subarray(0, 30)],
  ["a WebP of a header and noise", "a.webp", () => Buffer.concat([webp.lossy.subarray(0, 20), noise(400)])],
  ["a lossless WebP of a header and noise", "a.webp", () => Buffer.concat([webp.lossless.subarray(0, 20), noise(400)])],
  ["a GIF without a picture", "a.gif", () => writeGif({ width: 8, height: 8, frames: [] })],
  ["a GIF of a picture without width", "a.gif", () => gif({ width: 0 })],
  ["a GIF of a picture without data", "a.gif", () => Buffer.from(gif({}).subarray(0, -77))],
  ["a GIF of a header and noise", "a.gif", () => Buffer.concat([gif({}).subarray(0, 13), noise(400)])],
];

describe("unreadable images", () => {
  it.each(CASES)("An unreadable image is refused and leaves nothing behind: %s", async (_, name, make) => {
    const bytes = make();
    for (const account of accounts) {
      const answer = await account.upload({ name, bytes });
      const body = (await answer.json()) as ErrorBody;
      expect(answer.status).toBe(400);
      expect(body).toMatchObject({ statusCode: 400, details: { file: expect.any(String) } });
      expect(Number(answer.headers.get("X-Storage-Used"))).toBe(0);
      const listed = await host.send("GET", "/images", account.token);
      expect(await listed.json()).toMatchObject({ images: [] });
    }
  });
});
