import { beforeAll, describe, expect, it } from "vitest";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { type JpegSegment, joinJpeg, makeSegment, splitJpeg, withBallast } from "../../support/jpeg/segments.ts";
import { type TestScan, writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";

// These files are not as T.81 wants them, but libjpeg decodes them, and so browsers show them: they are compressed like any other.

const [SOF0, SOS, DQT, DAC, APP0, EOI] = [0xc0, 0xda, 0xdb, 0xcc, 0xe0, 0xd9];
const LOSSLESS = 100;

let source: Buffer;
let segments: JpegSegment[];
let picture: CoefficientPicture;

beforeAll(async () => {
  const jpeg = makePicture({ width: 96, height: 64 }).jpeg({ quality: 90, chromaSubsampling: "4:4:4" });
  source = withBallast(await jpeg.toBuffer());
  segments = splitJpeg(source).segments;
  picture = readCoefficients(source);
});

/** The file with the content of one kind of segment altered. */
function altered(marker: number, alter: (content: Buffer) => Buffer, of = segments): Buffer {
  return joinJpeg(
    of.map((one) => (one.marker === marker ? { ...one, content: alter(Buffer.from(one.content)) } : one)),
  );
}

/** A pass that requantises nothing has the pixels of the given file. */
async function expectSamePicture(jpeg: Uint8Array, same: Uint8Array): Promise<void> {
  const after = await decodePixels(await recompressed(jpeg, LOSSLESS));
  expect(after.data.equals((await decodePixels(same)).data)).toBe(true);
}

/** Frame and scan name their components so. */
function withIds(ids: readonly number[], of = segments): Buffer {
  const named = (content: Buffer, first: number, step: number) => {
    for (const [i, id] of ids.entries()) content[first + i * step] = id;
    return content;
  };
  const frame = altered(SOF0, (content) => named(content, 6, 3), of);
  return altered(SOS, (content) => named(content, 1, 2), splitJpeg(frame).segments);
}

describe("components that share a number", () => {
  it.each([[[1, 1, 1]], [[0, 0, 0]], [[1, 2, 2]], [[1, 1, 2]], [[1, 2, 1]]])("%j", async (ids) => {
    await expectSamePicture(withIds(ids), source);
    await expectSamePicture(withIds(ids), withIds(ids));
  });

  it("are YCbCr without JFIF, too, and have numbers of their own in the result", async () => {
    const bare = withIds(
      [7, 7, 7],
      segments.filter(({ marker }) => marker !== APP0),
    );
    await expectSamePicture(bare, bare);
    expect(readCoefficients(await recompressed(bare, LOSSLESS)).components.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

it("a sequential scan whose header says nothing, or something else, of its band", async () => {
  for (const band of [
    [0, 0, 0],
    [1, 5, 0x21],
  ]) {
    const jpeg = altered(SOS, (content) => Buffer.from([...content.subarray(0, -3), ...band]));
    await expectSamePicture(jpeg, source);
  }
});

it("conditioning of arithmetic coding, which is not used", async () => {
  const jpeg = joinJpeg([makeSegment(DAC, [0, 16]), ...segments, makeSegment(DAC, [0, 16])]);
  await expectSamePicture(jpeg, source);
});

describe("a quantisation step of 0", () => {
  const withZeros = (...places: number[]) =>
    altered(DQT, (content) => {
      for (const place of places) content[1 + place] = 0;
      return content;
    });

  it.each([
    ["the mean", [0]],
    ["the last coefficient", [63]],
    ["some", [1, 2, 9, 30]],
    ["everything", Array.from({ length: 64 }, (_, k) => k)],
  ])("of %s makes it 0", async (_, places) => {
    const jpeg = withZeros(...places);
    await expectSamePicture(jpeg, jpeg);
  });
});

describe("no EOI behind", () => {
  it("all of the picture", async () => {
    await expectSamePicture(source.subarray(0, -2), source);
    await expectSamePicture(source.subarray(0, -1), source);
  });

  it("the last of several scans, progressive ones too", async () => {
    const dc = { of: [0, 1, 2], se: 0 };
    const ac = [0, 1, 2].map((index) => ({ of: [index], ss: 1, se: 63 }));
    for (const scans of [
      [{ of: [0] }, { of: [1] }, { of: [2] }],
      [dc, ...ac],
    ]) {
      const jpeg = withBallast(writeTestJpeg(picture, { scans }));
      expect(jpeg.at(-1)).toBe(EOI);
      await expectSamePicture(jpeg.subarray(0, -2), source);
    }
  });

  it("segments that say nothing of the picture, the last one cut off", async () => {
    const jpeg = Buffer.concat([source.subarray(0, -2), makeSegment(0xe5, new Uint8Array(100)).subarray(0, 50)]);
    await expectSamePicture(jpeg, source);
  });
});

describe("what is missing where no decoder makes anything up for it", () => {
  const DC = { of: [0, 1, 2], se: 0 };
  const acScans = (rest: Partial<TestScan>) => [0, 1, 2].map((index) => ({ of: [index], ss: 1, se: 63, ...rest }));

  it.each<[string, TestScan[]]>([
    ["a component without a scan", [{ of: [1] }, { of: [2] }]],
    ["components without a scan", [{ of: [0] }]],
    ["the last coefficients", [DC, ...acScans({ se: 40 })]],
    ["all but the first nine AC coefficients", [DC, ...acScans({ se: 9 })]],
    ["the last bit of the last coefficients", [DC, ...acScans({ se: 9 }), ...acScans({ ss: 10, al: 1 })]],
    ["the last bit of DC", [{ ...DC, al: 1 }, ...acScans({})]],
  ])("%s", async (_, scans) => {
    const jpeg = withBallast(writeTestJpeg(picture, { scans }));
    await expectSamePicture(jpeg, jpeg);
  });
});
