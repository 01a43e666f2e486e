import { beforeAll, describe, expect, it } from "vitest";
import { emptyProgressive, fullSequential, withSize } from "../../support/jpeg/bombs.ts";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { makeSegment, withBallast, withSegments } from "../../support/jpeg/segments.ts";

/** The time limit. A 100-megapixel photo takes about as long; bombs must not take longer. */
const MOST_MS = 10_000;
const MEGABYTE = 2 ** 20;
let small: Buffer;

beforeAll(async () => {
  small = await makePicture({ width: 64, height: 64 }).jpeg({ quality: 90 }).toBuffer();
});

/** Recompresses within bounds of time and memory. @returns the result, or the reason why there is none */
async function defuse(bomb: Uint8Array): Promise<Uint8Array | string> {
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const result = await recompressJpeg(bomb, 65);
  expect(performance.now() - start).toBeLessThan(MOST_MS);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MEGABYTE);
  return result.outcome === "kept" ? result.reason : result.bytes;
}

describe("headers that promise too much", () => {
  it.each([
    [65_535, 65_535],
    [30_000, 30_000],
    [65_500, 1_600],
    [65_535, 1],
    [1, 65_535],
  ])("A header of %i x %i pixels without data is declined before anything is allocated", async (width, height) => {
    expect(await defuse(withSize(small, width, height))).toBe("Too many pixels");
  });

  it("A header within the limit of pixels but without data is declined in its first row", async () => {
    expect(await defuse(withSize(small, 10_000, 10_000))).toMatch(/cut off|too large|No such|leaves/);
  });

  it("A header with 255 components is declined", async () => {
    const factors = Array.from({ length: 255 }, (_, id) => [id, 0x11, 0]).flat();
    const frame = makeSegment(0xc0, [8, 0, 64, 0, 64, 255, ...factors]);
    expect(await defuse(withSegments(small, frame))).toBe("The frame header is damaged");
    expect(await defuse(withSegments(small, makeSegment(0xc0, [8, 0, 64, 0, 64, 5, ...factors.slice(0, 15)])))).toBe(
      "The frame header is damaged",
    );
  });
});

describe("empty progressive pictures", () => {
  const refined = (from: number) =>
    Array.from({ length: from + 1 }, (_, i) => ({ ss: 1, se: 63, ah: i === 0 ? 0 : from + 1 - i, al: from - i }));
  const oneByOne = (from: number) =>
    Array.from({ length: 63 }, (_, i) => refined(from).map(({ ah, al }) => ({ ss: i + 1, se: i + 1, ah, al }))).flat();

  it("A progressive picture of 100 megapixels with all refinements is decoded like any other", async () => {
    const bomb = emptyProgressive({ width: 10_000, height: 10_000, scans: refined(13) });
    expect(await defuse(withBallast(bomb))).toBeInstanceOf(Uint8Array);
  });

  it("A picture with a scan for each coefficient, 64 in all, is decoded", async () => {
    const result = await defuse(emptyProgressive({ width: 800, height: 800, scans: oneByOne(0) }));
    if (typeof result === "string") throw new Error(result);
    expect((await decodePixels(result)).data.every((value) => value === 128)).toBe(true);
  });

  it.each([
    [101, 8],
    [1000, 8],
    [1000, 3000],
  ])("A picture of %i scans is declined (%i pixels square)", async (count, side) => {
    const scans = [...oneByOne(13), ...oneByOne(13)].slice(0, count - 1);
    expect(await defuse(emptyProgressive({ width: side, height: side, scans }))).toMatch(
      /Too many scans|Too much work/,
    );
  });

  it("A picture with the same refinement repeated is declined", async () => {
    const again = [...refined(1), ...Array.from({ length: 90 }, () => ({ ss: 1, se: 63, ah: 1, al: 0 }))];
    expect(await defuse(emptyProgressive({ width: 6_000, height: 6_000, scans: again }))).toBe(
      "A scan is out of order",
    );
  });

  it("A picture with more blocks in all its scans than the limit is declined", async () => {
    expect(await defuse(emptyProgressive({ width: 10_000, height: 10_000, scans: oneByOne(0) }))).toBe("Too much work");
  });
});

describe("pictures without zero coefficients", () => {
  it("A picture with more non-zero coefficients than the memory allows is declined", async () => {
    expect(await defuse(fullSequential(5_200, 5_200))).toBe("Too many coefficients");
  });

  it("A picture whose non-zero coefficients fit is decoded", async () => {
    expect(await defuse(withBallast(fullSequential(1_000, 1_000)))).toBeInstanceOf(Uint8Array);
  });
});

describe("endless segments", () => {
  it("A million Huffman tables are skipped", async () => {
    const tables = makeSegment(
      0xc4,
      Array.from({ length: 3_800 }, () => [0x10, ...new Array<number>(16).fill(0)]).flat(),
    );
    const bomb = withSegments(small, ...Array.from({ length: 300 }, () => tables));
    expect(await defuse(bomb)).toBeInstanceOf(Uint8Array);
  });

  it("Endless quantisation tables are skipped", async () => {
    const tables = makeSegment(0xdb, Array.from({ length: 1_000 }, () => [3, ...new Array<number>(64).fill(9)]).flat());
    expect(await defuse(withSegments(small, ...Array.from({ length: 100 }, () => tables)))).toBeInstanceOf(Uint8Array);
  });

  it("An ICC profile in a million pieces is declined", async () => {
    const pieces = Buffer.concat(Array.from({ length: 1_000_000 }, () => makeSegment(0xe2, "ICC_PROFILE\0\x01\x01")));
    expect(await defuse(withSegments(small, pieces))).toBe("Too many segments of a profile");
  });

  it("A profile larger than the picture leaves nothing to save", async () => {
    const piece = makeSegment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0"), new Uint8Array(65_000)]));
    expect(await defuse(withSegments(small, ...Array.from({ length: 200 }, () => piece)))).toBe("Nothing to be saved");
  });

  it("Fill bytes and stray restart markers are skipped", async () => {
    const fill = new Uint8Array(20 * MEGABYTE).fill(0xff);
    expect(await defuse(withSegments(small, fill))).toBeInstanceOf(Uint8Array);
    const restarts = Buffer.alloc(20 * MEGABYTE, Uint8Array.of(0xff, 0xd0));
    expect(await defuse(withSegments(small, restarts))).toBeInstanceOf(Uint8Array);
  });
});
