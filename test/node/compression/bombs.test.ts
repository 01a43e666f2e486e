import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyProgressive } from "../../support/jpeg/bombs.ts";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { type Chunk, header, pngFile, writePng } from "../../support/png/write-png.ts";

// COMP-6: decompression bombs are never decoded in the isolate and never fail the upload.

/** The time limit. A sound upload takes a twentieth of this on an idle machine. Decoding a bomb would take longer, or fail. */
const MAX_MS = 15_000;
const MIB = 1024 * 1024;

let host: CompressionHost;
let account: CompressingAccount;
let sound: Buffer;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  sound = await photo(200, 150).png({ compressionLevel: 0 }).toBuffer();
});

function bigPng(bitDepth: 1 | 8, colorType: 0 | 6, data: Buffer): Buffer {
  const ihdr = header({ width: 30_000, height: 30_000, bitDepth, colorType });
  return pngFile([["IHDR", ihdr], ["IDAT", data], ["IEND", Buffer.alloc(0)]]); // biome-ignore format: chunks
}

/** A small PNG with a chunk that unpacks to 200 MB. */
function pngWith(type: "iCCP" | "zTXt" | "iTXt"): Buffer {
  const name = type === "iTXt" ? "Comment\0\x01\0\0\0" : "a name\0\0";
  const chunk: Chunk = [type, Buffer.concat([Buffer.from(name, "latin1"), deflateSync(Buffer.alloc(200 * MIB))])];
  const pixel = (x: number, y: number) => [x * 2, y * 3, x ^ y];
  return writePng({ width: 100, height: 80, colorType: 2, bitDepth: 8, pixel, before: [chunk] });
}

function bigGif(frameSide: number): Buffer {
  const side = (pixels: number) => [pixels & 255, pixels >> 8];
  const screen = [...side(65_535), ...side(65_535), 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  // GIF89a, appendix F: a clear code, then codes that each stand for one index more than the code before.
  const data = [0x2c, 0, 0, 0, 0, ...side(frameSide), ...side(frameSide), 0, 2, 4, 0x84, 0x8f, 0xa9, 0x05, 0];
  return Buffer.concat([Buffer.from("GIF89a", "latin1"), Buffer.from([...screen, ...data, 0x3b])]);
}

/** A picture of one colour takes no bits a pixel, so its header can promise any size. */
async function bigWebp(): Promise<Buffer> {
  const one = { width: 64, height: 64, channels: 3, background: "#336699" } as const;
  const webp = await sharp({ create: one }).webp({ lossless: true, effort: 0 }).toBuffer();
  // RFC 9649, 3.4: after the signature, 14 bits each of width and height less one.
  webp.writeUInt32LE((webp.readUInt32LE(21) & 0xf0000000) | 16_382 | (16_382 << 14), 21);
  return webp;
}

const BOMBS: readonly (readonly [label: string, name: string, make: () => Buffer | Promise<Buffer>])[] = [
  ["a PNG of 30,000 square that is all there", "a.png", () => bigPng(1, 0, deflateSync(Buffer.alloc(3751 * 30_000)))],
  ["a PNG of 30,000 square in a few KB", "b.png", () => bigPng(8, 6, deflateSync(Buffer.alloc(4 * MIB)))],
  ["a PNG whose data unpacks to more than its size needs", "c.png", () => overfull()],
  ["a GIF of 65,535 square", "d.gif", () => bigGif(65_535)],
  ["a GIF of one pixel on a screen of 65,535 square", "e.gif", () => bigGif(1)],
  ["a WebP of 16,383 square", "f.webp", bigWebp],
  ["a JPEG of 100 scans", "g.jpg", () => manyScans(4000, 4000, 100)],
  ["a JPEG of 65,500 square", "h.jpg", () => manyScans(65_500, 65_500, 1)],
];

function overfull(): Buffer {
  const ihdr = header({ width: 10, height: 10, bitDepth: 8, colorType: 2 });
  const data = deflateSync(Buffer.alloc(300 * MIB));
  return pngFile([["IHDR", ihdr], ["IDAT", data], ["IEND", Buffer.alloc(0)]]); // biome-ignore format: chunks
}

function manyScans(width: number, height: number, scans: number): Buffer {
  const scan = (_: unknown, i: number) => ({ ss: 1 + (i % 63), se: 1 + (i % 63), ah: 0, al: 0 });
  return emptyProgressive({ width, height, scans: Array.from({ length: scans }, scan) });
}

async function expectSoundUpload(): Promise<void> {
  const { result } = await account.store(sound, "sound.png");
  expect(result.compressed).toBe(true);
}

describe("decompression bombs", () => {
  it.each(BOMBS)(
    "A decompression bomb is stored quickly as uploaded, and the next upload works: %s",
    async (_, name, make) => {
      const bomb = await make();
      const began = performance.now();
      const { result } = await account.store(bomb, name);
      expect(performance.now() - began).toBeLessThan(MAX_MS);
      expect(result.compressed).toBe(false);
      await expectSoundUpload();
    },
  );

  it.each(["iCCP", "zTXt", "iTXt"] as const)("A bomb in a PNG's %s chunk is never unpacked", async (type) => {
    const bomb = pngWith(type);
    const began = performance.now();
    // The result is reported correctly and no profile is lost, whether or not the file was compressed.
    const { result, bytes } = await account.store(bomb, "a.png");
    expect(performance.now() - began).toBeLessThan(MAX_MS);
    if (type === "iCCP") expect(bytes.includes("iCCP")).toBe(true);
    else expect(result.compressed && !bytes.includes(type)).toBe(true);
    await expectSoundUpload();
  });

  it("A decompression bomb does not stop the other images of its batch from being compressed", async () => {
    const bombs = await Promise.all(BOMBS.map(async ([, name, make]) => ({ name, bytes: await make() })));
    const outcomes = await account.storeBatch([...bombs, { name: "sound.png", bytes: sound }]);
    for (const { name } of bombs) expect(outcomes.get(name)).toMatchObject({ result: { compressed: false } });
    expect(outcomes.get("sound.png")).toMatchObject({ result: { compressed: true } });
  });
});
