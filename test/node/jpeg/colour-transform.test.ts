import { beforeAll, describe, expect, it } from "vitest";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { type JpegSegment, joinJpeg, makeSegment, splitJpeg, withBallast } from "../../support/jpeg/segments.ts";

const APP14 = 0xee;
const adobe = (transform: number) => makeSegment(APP14, [...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, transform]);
const isScan = ({ marker }: JpegSegment) => marker === 0xda;

/** Tables, frame and scans: no segment that names the colour space. */
let colours: JpegSegment[];
let inks: JpegSegment[];

beforeAll(async () => {
  const picture = () => makePicture({ width: 120, height: 80 });
  const pictureOnly = (jpeg: Uint8Array) => splitJpeg(jpeg).segments.filter(({ marker }) => marker < 0xe0);
  colours = pictureOnly(await picture().jpeg({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer());
  inks = pictureOnly(await picture().toColourspace("cmyk").jpeg({ quality: 90 }).toBuffer());
});

/** @returns the transform in the result */
async function transformKept(source: Uint8Array): Promise<number | undefined> {
  const result = await recompressed(withBallast(source), 100);
  const [before, after] = await Promise.all([decodePixels(source), decodePixels(result)]);
  expect(after.channels).toBe(before.channels);
  expect(after.data.equals(before.data)).toBe(true);
  return splitJpeg(result).segments.find(({ marker }) => marker === APP14)?.content[11];
}

describe("Adobe's colour transform", () => {
  it.each([0, 1])("Colour transform %i of three components is kept, with the colours", async (transform) => {
    expect(await transformKept(joinJpeg([adobe(transform), ...colours]))).toBe(transform);
  });

  it.each([0, 2])("Colour transform %i of four components is kept, with the colours", async (transform) => {
    expect(await transformKept(joinJpeg([adobe(transform), ...inks]))).toBe(transform);
  });

  it("Decoders show these tests' colours differently as RGB and as YCbCr", async () => {
    const [rgb, ycc] = await Promise.all(
      [0, 1].map((transform) => decodePixels(joinJpeg([adobe(transform), ...colours]))),
    );
    expect(rgb?.data.equals(ycc?.data ?? Buffer.alloc(0))).toBe(false);
  });

  it.each([
    ["three", 100, 1],
    ["four", 1, 2],
  ] as const)(
    "An invalid colour transform of %s components (%i) is written as decoders read it",
    async (count, wrong, meant) => {
      const result = await recompressed(
        withBallast(joinJpeg([adobe(wrong), ...(count === "three" ? colours : inks)])),
        100,
      );
      const named = joinJpeg([adobe(meant), ...(count === "three" ? colours : inks)]);
      const [before, after] = await Promise.all([decodePixels(named), decodePixels(result)]);
      expect(after.data.equals(before.data)).toBe(true);
    },
  );

  it("A colour transform after the first scan has no effect", async () => {
    const at = colours.findIndex(isScan) + 1;
    expect(await transformKept(joinJpeg([...colours.slice(0, at), adobe(0), ...colours.slice(at)]))).toBeUndefined();
  });

  it("A file without a colour transform gets none", async () => {
    expect(await transformKept(joinJpeg(colours))).toBeUndefined();
    expect(await transformKept(joinJpeg(inks))).toBeUndefined();
  });
});
