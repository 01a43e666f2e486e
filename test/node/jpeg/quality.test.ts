import { beforeAll, describe, expect, it } from "vitest";
import { readCoefficients } from "../../support/jpeg/coefficients.ts";
import { decodePixels, makePicture, type Pixels } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { withBallast } from "../../support/jpeg/segments.ts";

const QUALITIES = [50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100];
let fine: Buffer;
let coarse: Buffer;

beforeAll(async () => {
  const picture = () => makePicture({ width: 400, height: 300 });
  [fine, coarse] = (await Promise.all([95, 40].map((quality) => picture().jpeg({ quality }).toBuffer()))) as [
    Buffer,
    Buffer,
  ];
});

const stepsOf = (jpeg: Uint8Array) => readCoefficients(jpeg).components.map(({ steps }) => steps);
const atLeast = (steps: Uint16Array, least: Uint16Array | undefined) =>
  steps.every((step, k) => step >= (least?.[k] ?? 0));

function meanSquareError(a: Pixels, b: Pixels): number {
  return a.data.reduce((sum, value, i) => sum + (value - (b.data[i] ?? 0)) ** 2, 0) / a.data.length;
}

describe("quality", () => {
  it.each(["fine", "coarse"])(
    "A step is never finer than the source's, nor than at a higher quality (%s source)",
    async (name) => {
      const source = withBallast(name === "fine" ? fine : coarse);
      let higher = stepsOf(source);
      for (const quality of QUALITIES.toReversed()) {
        const steps = stepsOf(await recompressed(source, quality));
        expect(steps.every((own, i) => atLeast(own, higher[i]))).toBe(true);
        higher = steps;
      }
    },
  );

  it("Quality 100 takes the source's own steps", async () => {
    expect(stepsOf(await recompressed(withBallast(fine), 100))).toEqual(stepsOf(fine));
  });

  it("A lower quality makes files smaller and the loss larger", async () => {
    const before = await decodePixels(fine);
    const results = await Promise.all(QUALITIES.map((quality) => recompressed(withBallast(fine), quality)));
    const errors = await Promise.all(
      results.map(async (result) => meanSquareError(before, await decodePixels(result))),
    );
    for (let i = 1; i < QUALITIES.length; i++) {
      expect(results[i]?.length ?? 0).toBeGreaterThanOrEqual(results[i - 1]?.length ?? 0);
      expect(errors[i] ?? 0).toBeLessThanOrEqual(errors[i - 1] ?? 0);
    }
    expect(errors.at(-1)).toBe(0);
    expect(errors[0]).toBeGreaterThan(0);
    expect(errors[0]).toBeLessThan(150);
  });

  it.each(QUALITIES)("Quality %i, applied twice, loses nothing more", async (quality) => {
    const once = await recompressed(withBallast(fine), quality);
    expect(await recompressJpeg(once, quality)).toEqual({ outcome: "kept", reason: "Nothing to be saved" });
    const twice = await recompressed(withBallast(once), quality);
    const [before, after] = await Promise.all([decodePixels(once), decodePixels(twice)]);
    expect(after.data.equals(before.data)).toBe(true);
  });

  it("A file that is coarser than the quality is kept, without its comments", async () => {
    const [before, after] = await Promise.all([
      decodePixels(coarse),
      decodePixels(await recompressed(withBallast(coarse), 80)),
    ]);
    expect(meanSquareError(before, after)).toBeLessThan(3);
    expect((await recompressJpeg(coarse, 100)).outcome).toBe("recompressed");
  });
});

describe("results", () => {
  it("A result saves at least 3 % of the bytes", async () => {
    for (const quality of QUALITIES) {
      const result = await recompressJpeg(fine, quality);
      if (result.outcome === "recompressed") expect(result.bytes.length).toBeLessThanOrEqual(fine.length * 0.97);
    }
  });

  it("A result is progressive, of the same size and sampling", async () => {
    const [before, after] = [readCoefficients(fine), readCoefficients(await recompressed(fine, 65))];
    const shapeOf = ({ width, height, components }: typeof before) => ({
      width,
      height,
      components: components.map(({ id, h, v }) => ({ id, h, v })),
    });
    expect(shapeOf(after)).toEqual(shapeOf(before));
    expect(Buffer.from(await recompressed(fine, 65)).includes(Uint8Array.of(0xff, 0xc2))).toBe(true);
  });

  it("The source's bytes are unchanged, even if they are part of a larger buffer", async () => {
    const larger = Buffer.concat([Buffer.alloc(13), fine, Buffer.alloc(7)]);
    const copy = Buffer.from(larger);
    const result = await recompressed(larger.subarray(13, 13 + fine.length), 65);
    expect(larger.equals(copy)).toBe(true);
    expect(result).toEqual(await recompressed(fine, 65));
  });
});
