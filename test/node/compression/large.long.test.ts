import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost, type Stored } from "../../support/media/compression.ts";
import { decode, meanError, photo } from "../../support/media/pictures.ts";
import { writePng } from "../../support/png/write-png.ts";

// COMP-6: images of up to 32 MB are compressed; larger images are stored as uploaded.

const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;

let host: CompressionHost;
let account: CompressingAccount;
let jpeg: Buffer;

beforeAll(async () => {
  host = await CompressionHost.start();
  account = await host.openAccount();
  jpeg = await photo(1200, 800).jpeg({ quality: 95 }).toBuffer();
});

afterAll(() => host?.[Symbol.asyncDispose]());

/** Comments pad the file (ITU-T T.81, B.2.4.5), because cameras and editors add their own data. */
function padded(bytes: Buffer, sizeBytes: number): Buffer {
  const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
  const pieces = [bytes.subarray(0, scan)];
  for (let left = sizeBytes - bytes.length; left > 0; ) {
    // No segment is shorter than its marker and its length.
    const length = left > 65_537 + 4 ? 65_537 : left > 65_537 ? left - 4 : left;
    const segment = Buffer.alloc(length, 7);
    segment.set([0xff, 0xfe]);
    segment.writeUInt16BE(length - 2, 2);
    pieces.push(segment);
    left -= length;
  }
  return Buffer.concat([...pieces, bytes.subarray(scan)]);
}

describe("images beyond one part of an R2 upload", () => {
  it.each([
    ["just one part", 8 * MIB],
    ["a byte more than a part", 8 * MIB + 1],
    ["two parts and a half", 20 * MIB],
    ["the largest that is compressed", MAX_BYTES],
  ])("A large image is compressed: a JPEG of %s", async (_, sizeBytes) => {
    const { result, bytes } = await account.store(padded(jpeg, sizeBytes), "photo.jpg");
    expect(result).toMatchObject({ compressed: true, originalFileSize: sizeBytes, size: { width: 1200, height: 800 } });
    expect(bytes.length).toBeLessThan(jpeg.length);
    expect(meanError((await decode(bytes)).pixels, (await decode(jpeg)).pixels)).toBeLessThan(5);
  });

  it.each([
    ["a byte more than is compressed", MAX_BYTES + 1],
    ["whole parts", 40 * MIB],
    ["much more", 52 * MIB + 123],
  ])("A too large image is stored as uploaded: a JPEG of %s", async (_, sizeBytes) => {
    const { result } = await account.store(padded(jpeg, sizeBytes), "photo.jpg");
    expect(result).toMatchObject({ compressed: false, fileSize: sizeBytes, size: { width: 1200, height: 800 } });
  });

  it("A PNG of 9 MB is compressed without loss", async () => {
    const { data, info } = await photo(2000, 1600).raw().toBuffer({ resolveWithObject: true });
    const original = writePng({
      width: info.width,
      height: info.height,
      colorType: 2,
      bitDepth: 8,
      pixel: (x, y) => data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3) as unknown as number[],
    });
    expect(original.length).toBeGreaterThan(8 * MIB);
    const { result, bytes } = await account.store(original, "screen.png");
    expect(result.compressed).toBe(true);
    expect((await sharp(bytes).raw().toBuffer()).equals(data)).toBe(true);
  });

  it("Three large images in simultaneous requests are all compressed", async () => {
    const files = [9, 11, 17].map((size) => padded(jpeg, size * MIB));
    const answers = await Promise.all(files.map((bytes) => account.upload({ name: "photo.jpg", bytes })));
    for (const [i, answer] of answers.entries()) {
      const result = (await answer.json()) as Stored["result"];
      expect(answer.status).toBe(201);
      expect(result.compressed).toBe(true);
      await account.check(result, files[i] ?? Buffer.alloc(0), "photo.jpg");
    }
  });

  it("Three large images in a batch, between small images, are all compressed", async () => {
    const files = [1, 9, 2, 17, 7, 3].map((size, i) => ({ name: `${i}.jpg`, bytes: padded(jpeg, size * MIB) }));
    const outcomes = await account.storeBatch(files);
    for (const { name } of files) expect(outcomes.get(name)).toMatchObject({ result: { compressed: true } });
  });
});
