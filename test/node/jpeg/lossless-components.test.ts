import { beforeAll, describe, expect, it } from "vitest";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { resampled } from "../../support/jpeg/resampled.ts";
import { splitJpeg, withBallast } from "../../support/jpeg/segments.ts";
import { writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";

const FULL = [1, 1] as const;
let picture: CoefficientPicture;

beforeAll(async () => {
  const image = makePicture({ width: 147, height: 99 });
  picture = readCoefficients(await image.jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer());
});

/** @param source as libjpeg-turbo decodes it, without a warning */
async function expectLossless(source: Uint8Array): Promise<void> {
  const [before, after] = await Promise.all([
    decodePixels(source),
    decodePixels(await recompressed(withBallast(source), 100)),
  ]);
  expect(after.data.equals(before.data)).toBe(true);
}

describe("unusual components", () => {
  it.each([
    [
      "4:2:2",
      [
        [2, 1],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      "4:4:0",
      [
        [1, 2],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      "4:1:1",
      [
        [4, 1],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      "4:1:0",
      [
        [4, 2],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      "4:4:4 written as 2x2 thrice (12 blocks an MCU)",
      [
        [2, 2],
        [2, 2],
        [2, 2],
      ],
    ],
    [
      "4:2:2 written as 2x2, 1x2, 1x2",
      [
        [2, 2],
        [1, 2],
        [1, 2],
      ],
    ],
    [
      "chroma of two samplings",
      [
        [2, 2],
        [2, 1],
        [1, 2],
      ],
    ],
    [
      "chroma finer than luma",
      [
        [1, 1],
        [2, 2],
        [1, 1],
      ],
    ],
    ["gray with a sampling of 2x2", [[2, 2]]],
    ["gray with a sampling of 4x1", [[4, 1]]],
    [
      "four components, two of them halved",
      [
        [2, 2],
        [1, 1],
        [1, 1],
        [2, 2],
      ],
    ],
  ] as const)("A pass at quality 100 loses no pixel of %s", async (_, factors) => {
    await expectLossless(
      writeTestJpeg(resampled(picture, factors), { scans: factors.map((_, index) => ({ of: [index] })) }),
    );
  });

  it("A pass at quality 100 keeps RGB that only the names of its components announce", async () => {
    const scans = [{ of: [0, 1, 2] }];
    const source = writeTestJpeg(resampled(picture, [FULL, FULL, FULL], [82, 71, 66]), { scans });
    const numbered = writeTestJpeg(resampled(picture, [FULL, FULL, FULL]), { scans });
    expect((await decodePixels(source)).data.equals((await decodePixels(numbered)).data)).toBe(false);
    await expectLossless(source);
  });

  it("The encoder writes 16-bit steps only for a component whose source has such steps", async () => {
    const [luma, ...chroma] = picture.components;
    if (luma === undefined) throw new Error("A picture without components");
    const coarse = { ...luma, steps: luma.steps.map((step, k) => (k > 50 ? step + 300 : step)) };
    const source = writeTestJpeg(
      { ...picture, components: [coarse, ...chroma] },
      {
        scans: [{ of: [0, 1, 2] }],
        wideSteps: true,
        frameMarker: 0xc1,
      },
    );
    await expectLossless(source);
    const tables = splitJpeg(await recompressed(withBallast(source), 100)).segments.filter(
      ({ marker }) => marker === 0xdb,
    );
    expect(tables.map(({ content }) => (content[0] ?? 0) >> 4)).toEqual([1, 0]);
  });
});
