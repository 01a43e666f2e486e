import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { withMemoryGrowth } from "../../support/stack/memory-growth.ts";

// A chunk takes twelve bytes in a PNG and several times that in a list. A file may hold millions.

const MIB = 1024 * 1024;
/** Signature and IHDR. */
const HEAD_BYTES = 33;
/** An empty `tEXt`, with its CRC. */
const EMPTY_CHUNK = Buffer.from([0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0xcf, 0xae, 0x65, 0x67]);

let host: CompressionHost;
let account: CompressingAccount;
let picture: Buffer;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  picture = await photo(200, 150).png({ compressionLevel: 1 }).toBuffer();
});

function withChunks(count: number): Buffer {
  const chunks = Buffer.alloc(count * EMPTY_CHUNK.length, EMPTY_CHUNK);
  return Buffer.concat([picture.subarray(0, HEAD_BYTES), chunks, picture.subarray(HEAD_BYTES)]);
}

describe("PNGs with empty chunks", () => {
  it("A PNG with empty chunks is compressed without them", async () => {
    const file = withChunks(10_000);
    expect((await sharp(file).metadata()).width).toBe(200);
    const { result, bytes } = await account.store(file, "picture.png");
    expect(result.compressed).toBe(true);
    expect(bytes.length).toBeLessThanOrEqual(picture.length);
  });

  it("A PNG with millions of chunks keeps its length, without memory for each chunk", async () => {
    const file = withChunks(2_000_000);
    const { done, grownBytes } = await withMemoryGrowth(() => account.store(file, "picture.png"));
    expect(done.result.compressed).toBe(false);
    expect(done.bytes.length).toBe(file.length);
    // The copies of the file itself take most of it.
    expect(grownBytes).toBeLessThan(250 * MIB);
  });
});
