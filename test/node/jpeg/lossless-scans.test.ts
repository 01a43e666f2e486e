import { beforeAll, describe, expect, it } from "vitest";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { joinJpeg, makeSegment, splitJpeg, withBallast } from "../../support/jpeg/segments.ts";
import { type TestLayout, type TestScan, writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";

const EACH_ALONE: TestScan[] = [{ of: [0] }, { of: [1] }, { of: [2] }];
const DC_TOGETHER: TestScan = { of: [0, 1, 2], se: 0 };
const acOf = (index: number, rest: Partial<TestScan> = {}): TestScan => ({ of: [index], ss: 1, se: 63, ...rest });

/** Arrangements that everyday encoders do not make, all within T.81. */
const LAYOUTS: Record<string, TestLayout> = {
  "one interleaved scan": { scans: [{ of: [0, 1, 2] }] },
  "extended sequential frame": { scans: [{ of: [0, 1, 2] }], frameMarker: 0xc1 },
  "non-interleaved scans": { scans: EACH_ALONE },
  "scans in another order": { scans: [{ of: [2] }, { of: [0] }, { of: [1] }] },
  "luma alone, chroma interleaved": { scans: [{ of: [0] }, { of: [1, 2] }] },
  "restart after every MCU": { scans: [{ of: [0, 1, 2], restartInterval: 1 }] },
  "restart intervals that differ by scan": {
    scans: [
      { of: [0], restartInterval: 7 },
      { of: [1], restartInterval: 0 },
      { of: [2], restartInterval: 100 },
    ],
  },
  "Huffman tables that change between scans": {
    scans: [{ of: [0] }, { of: [1], flipped: true }, { of: [2] }],
  },
  "quantisation tables that change between scans": { scans: EACH_ALONE, oneTableNumber: true },
  "16-bit quantisation tables": { scans: [{ of: [0, 1, 2] }], wideSteps: true, frameMarker: 0xc1 },
  "progressive, each band at once": { scans: [DC_TOGETHER, acOf(0), acOf(1), acOf(2)] },
  "progressive, DC alone": {
    scans: [{ of: [0], se: 0 }, acOf(0), { of: [1], se: 0 }, acOf(1), { of: [2], se: 0 }, acOf(2)],
  },
  "progressive with many bands": {
    scans: [
      DC_TOGETHER,
      ...[0, 1, 2].flatMap((i) => Array.from({ length: 9 }, (_, n) => acOf(i, { ss: 1 + n * 7, se: 7 + n * 7 }))),
    ],
  },
  "progressive, a bit at a time, with restarts": {
    scans: [
      { ...DC_TOGETHER, al: 3, restartInterval: 5 },
      ...[0, 1, 2].map((i) => acOf(i, { al: 3, restartInterval: 11, flipped: i === 1 })),
      ...[2, 1, 0].flatMap((al) => [
        { ...DC_TOGETHER, ah: al + 1, al },
        ...[2, 0, 1].map((i) => acOf(i, { ah: al + 1, al, restartInterval: al * 9, flipped: al === 1 })),
      ]),
    ],
  },
};

let pictures: Record<string, CoefficientPicture>;

beforeAll(async () => {
  const picture = makePicture({ width: 147, height: 99 });
  const read = async (chromaSubsampling: string) =>
    readCoefficients(await picture.clone().jpeg({ quality: 92, chromaSubsampling }).toBuffer());
  pictures = { "4:4:4": await read("4:4:4"), "4:2:0": await read("4:2:0") };
});

/** @param source as libjpeg-turbo decodes it, without a warning */
async function expectLossless(source: Uint8Array): Promise<void> {
  const [before, after] = await Promise.all([
    decodePixels(source),
    decodePixels(await recompressed(withBallast(source), 100)),
  ]);
  expect(after.data.equals(before.data)).toBe(true);
}

describe.each(["4:4:4", "4:2:0"])("lossless passes over %s", (sampling) => {
  it.each(Object.entries(LAYOUTS))("A pass at quality 100 loses no pixel of unusual scans: %s", async (_, layout) => {
    const source = writeTestJpeg(pictures[sampling] as CoefficientPicture, layout);
    const plain = writeTestJpeg(pictures[sampling] as CoefficientPicture, { scans: [{ of: [0, 1, 2] }] });
    expect((await decodePixels(source)).data.equals((await decodePixels(plain)).data)).toBe(true);
    await expectLossless(source);
  });
});

it("The decoder keeps the quantisation tables of a component's first scan (T.81, B.2.4.1)", async () => {
  const scans = [DC_TOGETHER, acOf(0), acOf(1), acOf(2)];
  const source = writeTestJpeg(pictures["4:2:0"] as CoefficientPicture, { scans });
  const coarse = makeSegment(
    0xdb,
    [0, 1, 2].flatMap((id) => [id, ...new Array<number>(64).fill(99)]),
  );
  const { segments } = splitJpeg(source);
  const first = segments.findIndex(({ marker }) => marker === 0xda) + 1;
  const altered = joinJpeg([...segments.slice(0, first), coarse, ...segments.slice(first)]);
  expect((await decodePixels(altered)).data.equals((await decodePixels(source)).data)).toBe(true);
  await expectLossless(altered);
});

it("The decoder skips segments between scans", async () => {
  const source = writeTestJpeg(pictures["4:2:0"] as CoefficientPicture, { scans: EACH_ALONE });
  const comment = makeSegment(0xfe, "between");
  const { segments } = splitJpeg(source);
  await expectLossless(joinJpeg(segments.flatMap((one) => (one.marker === 0xda ? [one, comment] : [one]))));
});
