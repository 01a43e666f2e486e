import type { JpegOptions } from "sharp";
import { describe, expect, it } from "vitest";
import { decodePixels, makePicture, type PictureShape } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { withBallast } from "../../support/jpeg/segments.ts";

const ENCODERS: Record<string, JpegOptions> = {
  "libjpeg baseline": { optimiseCoding: false },
  "libjpeg baseline, optimised": {},
  "libjpeg progressive": { progressive: true },
  mozjpeg: { mozjpeg: true },
  "mozjpeg's table 3, sequential": { quantisationTable: 3 },
  "trellis with overshooting": { trellisQuantisation: true, overshootDeringing: true },
  "optimised scans": { progressive: true, optimiseScans: true },
};
const QUALITIES = [1, 10, 35, 50, 75, 90, 97, 100];
const SIZES: [width: number, height: number][] = [
  [1, 1],
  [1, 40],
  [40, 1],
  [7, 9],
  [8, 8],
  [16, 16],
  [17, 15],
  [33, 65],
  [250, 131],
];

/** The source has comments as ballast, because a result that saves nothing is not used. */
async function expectLossless(shape: PictureShape, options: JpegOptions, space = "srgb"): Promise<void> {
  const source = await makePicture(shape).toColourspace(space).jpeg(options).toBuffer();
  const result = await recompressed(withBallast(source), 100);
  const [before, after] = await Promise.all([decodePixels(source), decodePixels(result)]);
  expect(after).toMatchObject({ width: before.width, height: before.height, channels: before.channels });
  expect(after.data.equals(before.data)).toBe(true);
}

describe.each(Object.entries(ENCODERS))("lossless passes over %s", (_, options) => {
  describe.each(["4:2:0", "4:4:4"])("at %s", (chromaSubsampling) => {
    it.each(QUALITIES)("A pass at quality 100 loses no pixel of a source of quality %i", async (quality) => {
      await expectLossless({ width: 201, height: 133, seed: quality }, { ...options, quality, chromaSubsampling });
    });

    it.each(SIZES)("A pass at quality 100 loses no pixel of a picture of %i x %i pixels", async (width, height) => {
      await expectLossless({ width, height }, { ...options, quality: 85, chromaSubsampling });
    });
  });

  it.each(SIZES)("A pass at quality 100 loses no pixel of a gray picture of %i x %i pixels", async (width, height) => {
    await expectLossless({ width, height, channels: 1 }, { ...options, quality: 85 }, "b-w");
  });

  it.each(SIZES)("A pass at quality 100 loses no pixel of a CMYK picture of %i x %i pixels", async (width, height) => {
    await expectLossless({ width, height }, { ...options, quality: 85 }, "cmyk");
  });
});
