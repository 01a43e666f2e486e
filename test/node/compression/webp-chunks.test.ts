import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { chunk, riff, vp8x } from "../../support/media/media-bytes.ts";
import { photo } from "../../support/media/pictures.ts";
import { withMemoryGrowth } from "../../support/stack/memory-growth.ts";

// RFC 9649, 2.7: unknown chunks may stand anywhere in an extended file, as many as there are bytes for.

const WIDTH = 200;
const HEIGHT = 150;
const MIB = 1024 * 1024;
/** Times what the same bytes take in one chunk. It would be thousands of times if each chunk cost a walk. */
const MAX_RATIO = 20;
/** The file itself takes most of it, in several copies. */
const MAX_GROWN_BYTES = 250 * MIB;

let host: CompressionHost;
let account: CompressingAccount;
let picture: Uint8Array;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  // Behind the RIFF header stands but the one chunk.
  picture = Uint8Array.from((await photo(WIDTH, HEIGHT).webp({ quality: 97 }).toBuffer()).subarray(12));
});

function withUnknown(count: number): Buffer {
  const empty = chunk("JUNK");
  const unknown = new Uint8Array(Buffer.alloc(count * empty.length, Buffer.from(empty)));
  return Buffer.from(riff("WEBP", vp8x(WIDTH, HEIGHT), unknown, picture));
}

describe("a WebP with unknown chunks", () => {
  it("is compressed without them", async () => {
    const { result, bytes } = await account.store(withUnknown(500), "picture.webp");
    expect(result.compressed).toBe(true);
    expect(bytes.includes("JUNK")).toBe(false);
  });

  it("is kept where they are millions, and takes no memory for each", async () => {
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
