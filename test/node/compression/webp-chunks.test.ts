import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { chunk, riff, vp8x } from "../../support/media/media-bytes.ts";
import { photo } from "../../support/media/pictures.ts";
import { withMemoryGrowth } from "../../support/stack/memory-growth.ts";

// RFC 9649, 2.7: an extended file may have any number of unknown chunks anywhere.

const WIDTH = 200;
const HEIGHT = 150;
const MIB = 1024 * 1024;
/**
 * The limit as a multiple of the duration for the same bytes in one chunk. If each chunk took a walk over the file, the ratio would be
 * thousands.
 */
const MAX_RATIO = 20;
/** Several copies of the file itself take most of it. */
const MAX_GROWN_BYTES = 250 * MIB;

let host: CompressionHost;
let account: CompressingAccount;
let picture: Uint8Array;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  // The file has only one chunk after the RIFF header.
  picture = Uint8Array.from((await photo(WIDTH, HEIGHT).webp({ quality: 97 }).toBuffer()).subarray(12));
});

function withUnknown(count: number): Buffer {
  const empty = chunk("JUNK");
  const unknown = new Uint8Array(Buffer.alloc(count * empty.length, Buffer.from(empty)));
  return Buffer.from(riff("WEBP", vp8x(WIDTH, HEIGHT), unknown, picture));
}

describe("WebPs with unknown chunks", () => {
  it("A WebP with unknown chunks is compressed without them", async () => {
    const { result, bytes } = await account.store(withUnknown(500), "picture.webp");
    expect(result.compressed).toBe(true);
    expect(bytes.includes("JUNK")).toBe(false);
  });

  it("A WebP with millions of chunks is kept as it is, without memory for each chunk", async () => {
    const file = withUnknown(3_000_000);
    const whole = Buffer.from(riff("WEBP", vp8x(WIDTH, HEIGHT), chunk("JUNK", new Uint8Array(file.length)), picture));
    const storedMs = async (bytes: Buffer) => {
      const began = performance.now();
      const stored = await account.store(bytes, "picture.webp");
      return { ...stored, ms: performance.now() - began };
    };
    const { ms: atLeastMs } = await storedMs(whole);
    const { done, grownBytes } = await withMemoryGrowth(() => storedMs(file));
    expect(done.ms).toBeLessThan(MAX_RATIO * atLeastMs);
    expect(done.result.compressed).toBe(false);
    expect(grownBytes).toBeLessThan(MAX_GROWN_BYTES);
  });
});
