import { beforeAll, describe, expect, it } from "vitest";
import { emptyProgressive, fullSequential, withSize } from "../../support/jpeg/bombs.ts";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { makeSegment, withBallast, withSegments } from "../../support/jpeg/segments.ts";

/** A 100-megapixel photo takes about as long; bombs must not do worse. */
const MOST_MS = 10_000;
const MEGABYTE = 2 ** 20;
let small: Buffer;

beforeAll(async () => {
  small = await makePicture({ width: 64, height: 64 }).jpeg({ quality: 90 }).toBuffer();
});

/** Recompresses within bounds of time and memory. @returns the result, or why there is none */
async function defuse(bomb: Uint8Array): Promise<Uint8Array | string> {
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const result = await recompressJpeg(bomb, 65);
  expect(performance.now() - start).toBeLessThan(MOST_MS);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MEGABYTE);
  return result.outcome === "kept" ? result.reason : result.bytes;
}

describe("a header that promises more than is there", () => {
  it.each([
    [65_535, 65_535],
    [30_000, 30_000],
    [65_500, 1_600],
    [65_535, 1],
    [1, 65_535],
  ])("of %i x %i pixels is declined before anything is allocated", async (width, height) => {
    expect(await defuse(withSize(small, width, height))).toBe("Too many pixels");
  });

  it("within the limit of pixels is declined in its first row", async () => {
    expect(await defuse(withSize(small, 10_000, 10_000))).toMatch(/cut off|too large|No such|leaves/);
  });

  it("of as many components as a byte counts is declined", async () => {
    const factors = Array.from({ length: 255 }, (_, id) => [id, 0x11, 0]).flat();
    const frame = makeSegment(0xc0, [8, 0, 64, 0, 64, 255, ...factors]);
    expect(await defuse(withSegments(small, frame))).toBe("The frame header is damaged");
    expect(await defuse(withSegments(small, makeSegment(0xc0, [8, 0, 64, 0, 64, 5, ...factors.slice(0, 15)])))).toBe(
      "The frame header is damaged",
    );
  });
});

describe("a progressive picture of nothing", () => {
  const refined = (from: number) =>
    Array.from({ length: from + 1 }, (_, i) => ({ ss: 1, se: 63, ah: i === 0 ? 0 : from + 1 - i, al: from - i }));
  const oneByOne = (from: number) =>
    Array.from({ length: 63 }, (_, i) => refined(from).map(({ ah, al }) => ({ ss: i + 1, se: i + 1, ah, al }))).flat();

  it("of 100 megapixels and all refinements there can be is decoded like any other", async () => {
    const bomb = emptyProgressive({ width: 10_000, height: 10_000, scans: refined(13) });
    expect(await defuse(withBallast(bomb))).toBeInstanceOf(Uint8Array);
  });

  it("of a scan for each coefficient, 64 in all, is decoded", async () => {
    const result = await defuse(emptyProgressive({ width: 800, height: 800, scans: oneByOne(0) }));
    if (typeof result === "string") throw new Error(result);
    expect((await decodePixels(result)).data.every((value) => value === 128)).toBe(true);
  });

  it.each([
    [101, 8],
    [1000, 8],
    [1000, 3000],
  ])("of %i scans is declined (%i pixels square)", async (count, side) => {
    const scans = [...oneByOne(13), ...oneByOne(13)].slice(0, count - 1);
    expect(await defuse(emptyProgressive({ width: side, height: side, scans }))).toMatch(
      /Too many scans|Too much work/,
    );
  });

  it("of the same refinement again and again is declined", async () => {
    const again = [...refined(1), ...Array.from({ length: 90 }, () => ({ ss: 1, se: 63, ah: 1, al: 0 }))];
    expect(await defuse(emptyProgressive({ width: 6_000, height: 6_000, scans: again }))).toBe(
      "A scan is out of order",
    );
  });

  it("of more blocks in all its scans than the limit is declined", async () => {
    expect(await defuse(emptyProgressive({ width: 10_000, height: 10_000, scans: oneByOne(0) }))).toBe("Too much work");
  });
});

describe("a picture without a coefficient that is zero", () => {
  it("is declined where there are more of them than there is room for", async () => {
    expect(await defuse(fullSequential(5_200, 5_200))).toBe("Too many coefficients");
  });

  it("is decoded where there is room", async () => {
    expect(await defuse(withBallast(fullSequential(1_000, 1_000)))).toBeInstanceOf(Uint8Array);
  });
});

describe("segments without end", () => {
  it("of Huffman tables, a million of them, are passed over", async () => {
    const tables = makeSegment(
      0xc4,
      Array.from({ length: 3_800 }, () => [0x10, ...new Array<number>(16).fill(0)]).flat(),
    );
    const bomb = withSegments(small, ...Array.from({ length: 300 }, () => tables));
    expect(await defuse(bomb)).toBeInstanceOf(Uint8Array);
  });

  it("of quantisation tables are passed over", async () => {
    const tables = makeSegment(0xdb, Array.from({ length: 1_000 }, () => [3, ...new Array<number>(64).fill(9)]).flat());
    expect(await defuse(withSegments(small, ...Array.from({ length: 100 }, () => tables)))).toBeInstanceOf(Uint8Array);
  });

  it("of an ICC profile in a million pieces are declined", async () => {
    const pieces = Buffer.concat(Array.from({ length: 1_000_000 }, () => makeSegment(0xe2, "ICC_PROFILE\0\x01\x01")));
    expect(await defuse(withSegments(small, pieces))).toBe("Too many segments of a profile");
  });

  it("of a profile larger than the picture leave nothing to be saved", async () => {
    const piece = makeSegment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0"), new Uint8Array(65_000)]));
    expect(await defuse(withSegments(small, ...Array.from({ length: 200 }, () => piece)))).toBe("Nothing to be saved");
  });

  it("of fill bytes and stray restart markers are passed over", async () => {
    const fill = new Uint8Array(20 * MEGABYTE).fill(0xff);
    expect(await defuse(withSegments(small, fill))).toBeInstanceOf(Uint8Array);
    const restarts = Buffer.alloc(20 * MEGABYTE, Uint8Array.of(0xff, 0xd0));
    expect(await defuse(withSegments(small, restarts))).toBeInstanceOf(Uint8Array);
  });
});
