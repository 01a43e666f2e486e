import { expect, it } from "vitest";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { splitJpeg, withBallast } from "../../support/jpeg/segments.ts";
import { writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";

/** A gray picture whose blocks a test fills in; all steps are 1. */
async function drawn(
  blocksPerLine: number,
  blockLines: number,
  draw: (block: Int16Array, index: number) => void,
): Promise<CoefficientPicture> {
  const blank = makePicture({ width: blocksPerLine * 8, height: blockLines * 8, channels: 1 }).toColourspace("b-w");
  const picture = readCoefficients(await blank.jpeg({ quality: 100 }).toBuffer());
  const coefficients = picture.components[0]?.coefficients ?? new Int16Array();
  coefficients.fill(0);
  for (let at = 0; at < coefficients.length; at += 64) draw(coefficients.subarray(at, at + 64), at / 64);
  return picture;
}

/** @returns the result, whose coefficients equal the picture's */
async function recode(picture: CoefficientPicture): Promise<Uint8Array> {
  const source = writeTestJpeg(picture, { scans: [{ of: [0] }] });
  const result = await recompressed(withBallast(source), 100);
  const [before, after] = await Promise.all([decodePixels(source), decodePixels(result)]);
  expect(after.data.equals(before.data)).toBe(true);
  expect(readCoefficients(result).components[0]?.coefficients).toEqual(picture.components[0]?.coefficients);
  return result;
}

it("The encoder writes more empty blocks than one end-of-band run can count (32,767)", async () => {
  await recode(
    await drawn(210, 200, (block, index) => {
      block[0] = index % 7;
      if (index === 41_000) block[9] = 1;
    }),
  );
});

it("The encoder writes runs of blocks with more correction bits than decoders buffer", async () => {
  const random = seededRandom(5);
  const photo = makePicture({ width: 480, height: 400, channels: 1 }).toColourspace("b-w");
  const picture = readCoefficients(await photo.jpeg({ quality: 75 }).toBuffer());
  const coefficients = picture.components[0]?.coefficients ?? new Int16Array();
  // Photos gain from several passes; in these blocks the later passes add nothing but corrections.
  for (let at = coefficients.length - 500 * 64; at < coefficients.length; at++) {
    if (at % 64 !== 0) coefficients[at] = (random() < 0.5 ? -1 : 1) * (8 + Math.floor(random() * 8));
  }
  const result = await recode(picture);
  const scans = splitJpeg(result).segments.filter(({ marker }) => marker === 0xda);
  const refinements = scans.filter(({ content }) => (content.at(-1) ?? 0) >> 4 > 0);
  expect(refinements.length).toBeGreaterThan(0);
});

it("The encoder writes zero runs of every length between old and new coefficients", async () => {
  const random = seededRandom(6);
  const picture = await drawn(60, 60, (block) => {
    const share = random() ** 2;
    for (let k = 1; k < 64; k++) {
      if (random() < share) block[k] = (random() < 0.5 ? -1 : 1) * Math.floor(2 ** (random() * 5));
    }
  });
  await recode(picture);
});

it("The encoder fills up the last byte of a scan with ones (T.81, F.1.2.3)", async () => {
  // One code of one bit a scan, "0": no difference of DC, and the end of the band.
  const { segments } = splitJpeg(await recode(await drawn(1, 1, () => {})));
  const scans = segments.filter(({ marker }) => marker === 0xda);
  expect(scans.length).toBeGreaterThan(1);
  expect(scans.map(({ data }) => [...data])).toEqual(scans.map(() => [0x7f]));
});

it("The encoder writes coefficients of every magnitude of 8-bit pictures", async () => {
  await recode(
    await drawn(64, 64, (block, index) => {
      block[0] = index % 2 === 0 ? -1024 : 1023;
      for (let k = 1; k < 64; k++) block[k] = ((index * 63 + k * 31) % 2047) - 1023;
    }),
  );
});
