import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type Entry, exifOf, readExifEntries } from "../../support/jpeg/exif-entries.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { joinJpeg, makeSegment, splitJpeg, withBallast, withSegments } from "../../support/jpeg/segments.ts";

// Exif 2.32, 4.6.4 and 4.6.5: browsers compute an image's natural size from its resolution and pixel dimensions.

const APP1 = 0xe1;
const [SHORT, LONG, RATIONAL] = [3, 4, 5];
const [ORIENTATION, X, Y, UNIT, WIDTH, HEIGHT] = [0x0112, 0x011a, 0x011b, 0x0128, 0xa002, 0xa003];
const RESOLUTION: readonly Entry[] = [
  [X, RATIONAL, [300, 1]],
  [Y, RATIONAL, [1_500_000, 10_000]],
  [UNIT, SHORT, [2]],
];
const PIXELS: readonly Entry[] = [
  [WIDTH, SHORT, [30]],
  [HEIGHT, LONG, [40]],
];

let withoutJfif: Buffer;

beforeAll(async () => {
  const plain = await makePicture({ width: 120, height: 80 }).jpeg({ quality: 90 }).toBuffer();
  withoutJfif = joinJpeg(splitJpeg(plain).segments.filter(({ marker }) => marker < 0xe0));
});

/** The contents of the result's APP1 segments. */
async function exifOfResult(...contents: Uint8Array[]): Promise<Uint8Array[]> {
  const source = withSegments(withoutJfif, ...contents.map((content) => makeSegment(APP1, content)));
  const { segments } = splitJpeg(await recompressed(withBallast(source), 80));
  return segments.filter(({ marker }) => marker === APP1).map(({ content }) => content);
}

/** The size tags that the result keeps. */
async function said(...contents: Uint8Array[]): Promise<[number, number[]][]> {
  return (await exifOfResult(...contents)).flatMap((content) => [...readExifEntries(content)]);
}

describe("size in Exif", () => {
  it.each(["II", "MM"] as const)(
    "The size in Exif with byte order %s stays, and nothing else of the Exif",
    async (order) => {
      const secret: Entry = [0x010f, 2, [...Buffer.from("SECRET\0")]];
      const place: Entry = [0x8825, LONG, [8]];
      const content = exifOf(order, [secret, [ORIENTATION, SHORT, [6]], ...RESOLUTION, place], [secret, ...PIXELS]);
      const [result, ...others] = await exifOfResult(content);
      expect(others).toEqual([]);
      expect(readExifEntries(result ?? new Uint8Array())).toEqual(
        new Map([
          [ORIENTATION, [6]],
          [X, [300, 1]],
          [Y, [1_500_000, 10_000]],
          [UNIT, [2]],
          [WIDTH, [30]],
          [HEIGHT, [40]],
        ]),
      );
      expect(Buffer.from(result ?? []).includes("SECRET")).toBe(false);
      expect(result?.length).toBe(6 + 8 + (2 + 5 * 12 + 4) + 2 * 8 + (2 + 2 * 12 + 4));
    },
  );

  it("The size in Exif of an upright picture stays, as libvips reads it", async () => {
    const exif = exifOf("II", RESOLUTION, PIXELS);
    const source = withBallast(withSegments(withoutJfif, makeSegment(APP1, exif)));
    expect((await sharp(source).metadata()).density).toBe(300);
    const metadata = await sharp(await recompressed(source, 80)).metadata();
    expect(metadata.density).toBe(300);
    expect(metadata.orientation ?? 1).toBe(1);
  });

  it("The size in Exif stays if one of its parts is missing", async () => {
    expect(await said(exifOf("MM", RESOLUTION))).toEqual([
      [X, [300, 1]],
      [Y, [1_500_000, 10_000]],
      [UNIT, [2]],
    ]);
    expect(await said(exifOf("MM", [], PIXELS))).toEqual([
      [WIDTH, [30]],
      [HEIGHT, [40]],
    ]);
  });

  it("The size is taken from the first Exif that has one", async () => {
    const [first, second] = [100, 200].map((dpi) => exifOf("MM", [[X, RATIONAL, [dpi, 1]]]));
    expect(await said(exifOf("MM", [[ORIENTATION, SHORT, [3]]]), first ?? Buffer.of(), second ?? Buffer.of())).toEqual([
      [ORIENTATION, [3]],
      [X, [100, 1]],
    ]);
  });

  it.each<[string, Entry[], Entry[]]>([
    ["a resolution of nothing", [[X, RATIONAL, [0, 1]]], []],
    ["a resolution over nothing", [[X, RATIONAL, [300, 0]]], []],
    ["a resolution that is no RATIONAL", [[X, LONG, [300]]], []],
    ["two resolutions in one", [[X, RATIONAL, [300, 1, 300, 1]]], []],
    ["an invalid unit", [[UNIT, SHORT, [4]]], []],
    ["a unit that is no SHORT", [[UNIT, LONG, [2]]], []],
    ["no width", [], [[WIDTH, SHORT, [0]]]],
    ["a width that is a RATIONAL", [], [[WIDTH, RATIONAL, [30, 1]]]],
    ["a width in the first directory", [[WIDTH, LONG, [30]]], []],
    ["a resolution in the Exif directory", [], [[X, RATIONAL, [300, 1]]]],
    ["an Exif directory after the end", [[0x8769, LONG, [0xffff_ffff]]], []],
    ["an Exif directory that is the first one again", [[0x8769, LONG, [8]]], []],
    ["an Exif directory within the header", [[0x8769, LONG, [0]]], []],
  ])("An invalid size in Exif is dropped: %s", async (_, main, own) => {
    expect(await exifOfResult(exifOf("II", main, own))).toEqual([]);
  });

  it("A size in Exif that is cut off anywhere is dropped", async () => {
    const whole = exifOf("II", RESOLUTION, PIXELS);
    for (let length = 0; length < whole.length; length++) {
      const left = await said(whole.subarray(0, length));
      // Only a complete directory with complete values counts; nothing is invented.
      for (const [tag, numbers] of left) expect(await said(whole)).toContainEqual([tag, numbers]);
    }
  });
});
