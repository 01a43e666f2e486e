import { describe, expect, it } from "vitest";
import { fuzzCorpus } from "../../support/jpeg/fuzz-corpus.ts";
import { mutate } from "../../support/jpeg/mutate.ts";
import { decodePixels, type Pixels } from "../../support/jpeg/picture.ts";
import { type RandomJpegOptions, randomJpeg } from "../../support/jpeg/random-jpeg.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { withBallast } from "../../support/jpeg/segments.ts";

const MUTANTS_A_FILE = 700;
/** The limit for pictures of a few blocks, with any damage. */
const MOST_MS = 2_000;
/** Bytes that each file of the corpus has after its last scan. */
const COMMENT = Uint8Array.of(0xff, 0xfe);
const corpus = await fuzzCorpus();

/** Recompresses within its time. @returns the result; undefined if the original was kept */
async function attempt(source: Buffer, quality: number): Promise<Uint8Array | undefined> {
  const before = Buffer.from(source);
  const start = performance.now();
  const result = await recompressJpeg(source, quality);
  expect(performance.now() - start).toBeLessThan(MOST_MS);
  expect(before.equals(source)).toBe(true);
  return result.outcome === "recompressed" ? result.bytes : undefined;
}

/** @returns undefined if the decoder rejects the file, or warns */
async function decoded(jpeg: Uint8Array): Promise<Pixels | undefined> {
  return decodePixels(jpeg).catch(() => undefined);
}

/** The result is always sound. If the source is sound, too, a pass at quality 100 loses nothing. */
async function check(source: Buffer, quality: number, name: string): Promise<boolean> {
  const result = await attempt(source, quality);
  if (result === undefined) return false;
  const [before, after] = await Promise.all([decoded(source), decoded(result)]);
  expect(after, `${name}: the decoder rejects the result`).toBeDefined();
  const isSame = quality < 100 || before === undefined || after?.data.equals(before.data) === true;
  expect(isSame, `${name}: the picture has changed`).toBe(true);
  return true;
}

describe.each(corpus.map((jpeg, index) => [index, jpeg] as const))("file %i of the corpus", (index, jpeg) => {
  it("A mutated file never throws, never hangs and gives only results that decoders accept", async () => {
    let taken = 0;
    for (let seed = 0; seed < MUTANTS_A_FILE; seed++) {
      const random = seededRandom(index * 100_000 + seed);
      const quality = random() < 0.5 ? 100 : 50 + Math.floor(random() * 50);
      if (await check(mutate(jpeg, random), quality, `file ${index}, seed ${seed}`)) taken += 1;
    }
    expect(taken).toBeGreaterThan(MUTANTS_A_FILE / 50);
    expect(taken).toBeLessThan(MUTANTS_A_FILE);
  });

  it("A file cut off at any byte is kept as it is if a part of the picture is missing", async () => {
    const end = jpeg.lastIndexOf(COMMENT);
    for (let length = 0; length < end; length += 3) expect(await attempt(jpeg.subarray(0, length), 65)).toBeUndefined();
    for (let length = jpeg.length; length > jpeg.length - 50; length -= 3) {
      const result = await attempt(jpeg.subarray(0, length), 100);
      expect((await decoded(result ?? Buffer.of()))?.data).toEqual((await decoded(jpeg))?.data);
    }
  });
});

describe("random sound files", () => {
  const KINDS: Record<string, RandomJpegOptions> = {
    "as encoders make them": { factors: [1, 2, 4], componentCounts: [1, 3, 4], maxBits: 10 },
    "of any sampling and number of components": { factors: [1, 2, 3, 4], componentCounts: [1, 2, 3, 4], maxBits: 10 },
    "of coefficients beyond those of 8-bit samples": { factors: [1, 2], componentCounts: [1, 3], maxBits: 15 },
  };

  it.each(Object.entries(KINDS))("A pass at quality 100 changes no pixel of random files %s", async (name, options) => {
    let taken = 0;
    for (let seed = 0; seed < 250; seed++) {
      const source = withBallast(randomJpeg(seededRandom(seed), options));
      if (await check(source, 100, `seed ${seed}`)) taken += 1;
      await check(source, 50 + (seed % 50), `seed ${seed}`);
    }
    expect(taken).toBeGreaterThan(name === "as encoders make them" ? 249 : 90);
  });
});
