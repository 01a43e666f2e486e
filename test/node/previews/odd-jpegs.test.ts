import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { makePreview } from "../../../src/codecs/make-preview.ts";
import { previewSize } from "../../../src/domain/preview-size.ts";
import { type BlockSide, DECODING_LIMITS } from "../../../src/media/jpeg/decode-reduced.ts";
import { JpegDeclined } from "../../../src/media/jpeg/jpeg-declined.ts";
import { parseJpegStart } from "../../../src/media/jpeg/parse-jpeg.ts";
import { resizeJpeg } from "../../../src/media/jpeg/resize-jpeg.ts";
import { toRgba } from "../../../src/media/jpeg/to-rgba.ts";
import { wholeWindow } from "../../../src/media/resample/window.ts";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makeDeclinedJpegs } from "../../support/jpeg/declined-jpegs.ts";
import { fuzzCorpus } from "../../support/jpeg/fuzz-corpus.ts";
import { makeLenientJpegs } from "../../support/jpeg/lenient-jpegs.ts";
import { mutate } from "../../support/jpeg/mutate.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { randomJpeg } from "../../support/jpeg/random-jpeg.ts";
import { RARE_JPEGS } from "../../support/jpeg/rare-jpegs.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { type TestScan, writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";
import { previewEngines } from "../../support/previews/engines.ts";

// Unusual JPEGs have a preview or none, and cause no failure of the service.

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../../src/codecs/libwebp.ts", async () => (await import("../../support/previews/engines.ts")).webpEngine());

const { PICTURE_ENGINES } = await previewEngines();
const { jpegEngine: engine, resampler } = PICTURE_ENGINES;

/** The pixels of a preview that is decoded from `side` x `side` coefficients of each block; undefined if nothing can be decoded. */
async function pixelsOf(jpeg: Uint8Array, side: BlockSide, isWhole = true): Promise<Buffer | undefined> {
  const bytes = Uint8Array.from(jpeg);
  const tools = { engine, resampler, yieldIfDue: () => undefined, holdIfMore: () => undefined };
  try {
    const file = parseJpegStart(bytes, DECODING_LIMITS, { isWhole, wanted: side === 1 ? "dc" : "all" });
    if (file === undefined) throw new Error("More of the file is needed");
    const result = previewSize(file);
    const planes = await resizeJpeg(tools, bytes, file, wholeWindow(file, result), () => result, side);
    return Buffer.from(
      toRgba(
        file,
        planes.map(({ samples }) => samples),
      ),
    );
  } catch (error) {
    if (error instanceof JpegDeclined) return undefined;
    throw error;
  }
}

/** The same picture in progressive scans; the first has all DC coefficients and nothing else. */
function asProgressive(picture: CoefficientPicture): Buffer {
  const all = picture.components.map((_, index) => index);
  const dc = all.map((index): TestScan => ({ of: [index], se: 0 }));
  return writeTestJpeg(picture, { scans: [...dc, ...all.map((index) => ({ of: [index], ss: 1, se: 63 }))] });
}

describe("means from DC only", () => {
  it("Means read from DC only equal the means of the same picture in DC scans", async () => {
    const random = seededRandom(20_261_122);
    let compared = 0;
    for (let round = 0; round < 150; round++) {
      const jpeg = randomJpeg(random, { factors: [1, 2, 4], componentCounts: [1, 3, 4], maxBits: 10 });
      const file = parseJpegStart(Uint8Array.from(jpeg), DECODING_LIMITS, { isWhole: true, wanted: "all" });
      if (file?.scans[0]?.progressive !== false) continue;
      const [expected, actual] = [await pixelsOf(asProgressive(readCoefficients(jpeg)), 1), await pixelsOf(jpeg, 1)];
      expect(expected !== undefined && actual?.equals(expected), `round ${round}`).toBe(true);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(40);
  });

  it("Means are the same with the shortest, longest and optimal codes, and with restart markers", async () => {
    const noisy = makePicture({ width: 333, height: 222 });
    for (const options of [
      { quality: 100, chromaSubsampling: "4:4:4", optimiseCoding: false },
      { quality: 30 },
      { quality: 95, chromaSubsampling: "4:2:0", optimiseCoding: true },
    ]) {
      const jpeg = await noisy.clone().jpeg(options).toBuffer();
      const picture = readCoefficients(jpeg);
      const expected = (await pixelsOf(asProgressive(picture), 1)) as Buffer;
      expect((await pixelsOf(jpeg, 1))?.equals(expected)).toBe(true);
      for (const scans of [
        [{ of: [0, 1, 2], restartInterval: 7 }],
        [
          { of: [0], restartInterval: 1 },
          { of: [1], flipped: true },
          { of: [2], restartInterval: 3 },
        ],
      ]) {
        expect((await pixelsOf(writeTestJpeg(picture, { scans, frameMarker: 0xc1 }), 1))?.equals(expected)).toBe(true);
      }
    }
  });

  it("Means of a damaged file are as damaged as a full decoding", async () => {
    const random = seededRandom(7);
    let declined = 0;
    for (const jpeg of await fuzzCorpus()) {
      for (let round = 0; round < 25; round++) {
        const damaged = mutate(jpeg, random);
        const [means, all] = [await pixelsOf(damaged, 1), await pixelsOf(damaged, 8)];
        if (all === undefined) declined += 1;
        // The means need no further scans of a progressive file, so damage there does not matter.
        else expect(means).toBeDefined();
      }
    }
    expect(declined).toBeGreaterThan(20);
  });
});

/** The result of a file in the Codec Worker. @throws as the Codec Worker does */
async function outcomeOf(jpeg: Uint8Array): Promise<{ outcome: string; webp?: Uint8Array }> {
  return makePreview({ type: "image/jpeg", sizeBytes: jpeg.length }, new CountedFile(Uint8Array.from(jpeg)).open());
}

async function meanDifference(preview: Uint8Array, jpeg: Uint8Array): Promise<number> {
  const { width = 0, height = 0 } = await sharp(preview).metadata();
  const raw = (image: Uint8Array) =>
    sharp(image, { failOn: "none" })
      .resize(width, height, { fit: "fill" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer();
  const [actual, expected] = [await raw(preview), await raw(jpeg)];
  return actual.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / actual.length;
}

describe("odd JPEGs", () => {
  it("An odd JPEG that viewers show has the preview of that picture", async () => {
    for (const { label, bytes, sound } of await makeLenientJpegs()) {
      const { outcome, webp } = await outcomeOf(bytes);
      expect(outcome, label).toBe("made");
      expect(await meanDifference(webp as Uint8Array, sound), label).toBeLessThan(8);
    }
  });

  it("A damaged or rare JPEG has a preview, is sent to the media processor, or never has a preview", async () => {
    const folder = await mkdtemp(join(tmpdir(), "odd-jpegs-"));
    const lossless = join(folder, "lossless.jpg");
    const frame = Buffer.from("ffc0", "hex");
    const sequential = await makePicture({ width: 96, height: 64 }).jpeg().toBuffer();
    sequential[sequential.indexOf(frame) + 1] = 0xc3;
    await writeFile(lossless, sequential);
    const files = await makeDeclinedJpegs(lossless).finally(() => rm(folder, { recursive: true }));
    for (const { label, bytes } of files) {
      const { outcome } = await outcomeOf(bytes);
      expect(["made", "too-large", "impossible"], label).toContain(outcome);
    }
  });

  it("A JPEG that no browser decodes goes to the media processor", async () => {
    for (const { label, bytes } of RARE_JPEGS) {
      const { outcome } = await outcomeOf(bytes);
      expect(outcome, label).toBe("too-large");
    }
  });

  it("A large JPEG with any fault causes no more failures than a small one", async () => {
    // A picture of 2,400 by 2,100 pixels that is quick to write: it has only DC coefficients.
    const plain = await sharp({ create: { width: 2400, height: 2100, channels: 3, background: "#47a" } })
      .jpeg({ quality: 60 })
      .toBuffer();
    const progressive = await sharp(plain).jpeg({ progressive: true }).toBuffer();
    const random = seededRandom(3);
    for (const jpeg of [plain, progressive]) {
      for (let round = 0; round < 12; round++) {
        const { outcome } = await outcomeOf(mutate(jpeg, random));
        expect(["made", "too-large", "impossible"]).toContain(outcome);
      }
    }
  });
});
