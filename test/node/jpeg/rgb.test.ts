import sharp from "sharp";
import { expect, it } from "vitest";
import { readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { type JpegSegment, joinJpeg, makeSegment, splitJpeg } from "../../support/jpeg/segments.ts";

// RGB JPEGs, as Photoshop and scanners write them, are twice as large as YCbCr: each component repeats the brightness.

const APP14 = 0xee;
const SOF0 = 0xc0;
const SOS = 0xda;
const QUALITY = 65;
const adobe = (transform: number) => makeSegment(APP14, [...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, transform]);

/** A picture of 8 bits a sample: red, green and blue of each pixel. */
interface Raw {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function rawPicture(width: number, height: number): Promise<Raw> {
  return { data: await makePicture({ width, height }).blur(1).raw().toBuffer(), width, height };
}

/** Frame, tables and scans of an RGB JPEG: sharp takes the pixels for another colour space and writes them as they are. */
async function rgbSegments({ data, width, height }: Raw, quality: number, progressive = false): Promise<JpegSegment[]> {
  const planes = await Promise.all(
    ([0, 1, 2] as const).map((channel) =>
      sharp(data, { raw: { width, height, channels: 3 } })
        .extractChannel(channel)
        .jpeg({ quality, progressive })
        .toBuffer(),
    ),
  );
  return joinPlanes(planes);
}

/** Joins three gray JPEGs, each with its own scan or scans, into one. */
function joinPlanes(planes: readonly Buffer[]): JpegSegment[] {
  const parts = planes.map((plane) => splitJpeg(plane).segments.filter(({ marker }) => marker < 0xe0));
  const [first = []] = parts;
  const frame = first.find(({ marker }) => marker === SOF0 || marker === 0xc2);
  if (frame === undefined) throw new Error("No frame");
  const factors = [1, 2, 3].flatMap((id) => [id, 0x11, 0]);
  const content = Uint8Array.from([...frame.content.subarray(0, 5), 3, ...factors]);
  const scans = parts.flatMap((segments, i) =>
    segments
      .filter(({ marker }) => marker === 0xc4 || marker === SOS)
      .map((segment) => (segment.marker === SOS ? { ...segment, content: withId(segment.content, i + 1) } : segment)),
  );
  return [...first.filter(({ marker }) => marker === 0xdb), { ...frame, content }, ...scans];
}

function withId(header: Uint8Array, id: number): Uint8Array {
  return header.map((byte, at) => (at === 1 ? id : byte));
}

async function decodeRgb(jpeg: Uint8Array): Promise<Buffer> {
  return sharp(jpeg, { failOn: "warning" }).toColourspace("srgb").raw().toBuffer();
}

function meanError(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, i) => sum + Math.abs(value - (other[i] ?? 0)), 0) / one.length;
}

const samplingOf = (jpeg: Uint8Array) => readCoefficients(jpeg).components.map(({ h, v }) => [h, v]);

it.each([
  ["baseline", 400, 300, false],
  ["progressive", 401, 299, true],
] as const)(
  "An RGB JPEG becomes YCbCr, as small and as good as from a pixel encoder (%s)",
  async (_, width, height, progressive) => {
    const raw = await rawPicture(width, height);
    const source = joinJpeg([adobe(0), ...(await rgbSegments(raw, 92, progressive))]);
    const shown = await decodeRgb(source);
    expect(meanError(shown, raw.data)).toBeLessThan(4);

    const result = await recompressed(source, QUALITY);
    const rival = await sharp(source).jpeg({ quality: QUALITY, mozjpeg: true, chromaSubsampling: "4:4:4" }).toBuffer();
    expect(result.length).toBeLessThan(rival.length * 1.05);
    expect(await sharp(result).metadata()).toMatchObject({ width, height, channels: 3, isProgressive: true });
    expect(meanError(await decodeRgb(result), shown)).toBeLessThan(meanError(await decodeRgb(rival), shown) * 1.1);
    expect(samplingOf(result)).toEqual([[1, 1], [1, 1], [1, 1]]); // biome-ignore format: factors
    expect(splitJpeg(result).segments.find(({ marker }) => marker === APP14)?.content[11]).toBe(1);
  },
);

it("An RGB JPEG keeps its colours, also pure colours", async () => {
  const colours = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [255, 0, 255]]; // biome-ignore format: colours
  const data = Buffer.from(Array.from({ length: 96 * 96 }, (_, i) => colours[Math.floor((i % 96) / 16)] ?? []).flat());
  const segments = await rgbSegments({ data, width: 96, height: 96 }, 95);
  const source = joinJpeg([adobe(0), makeSegment(0xfe, new Uint8Array(20_000)), ...segments]);
  const [shown, after] = [await decodeRgb(source), await decodeRgb(await recompressed(source, 80))];
  expect(meanError(shown, after)).toBeLessThan(1.5);
});

it("An RGB JPEG keeps profile, resolution and orientation; other metadata is dropped", async () => {
  const raw = await rawPicture(400, 300);
  const donor = await makePicture({ width: 16, height: 16 })
    .withIccProfile("p3")
    .withMetadata({ orientation: 6, density: 200, exif: { IFD0: { Artist: "Somebody" } } })
    .jpeg()
    .toBuffer();
  const metadata = splitJpeg(donor).segments.filter(({ marker }) => marker === 0xe1 || marker === 0xe2);
  const source = joinJpeg([...metadata, adobe(0), ...(await rgbSegments(raw, 92))]);
  const before = await sharp(source).metadata();
  const result = await recompressed(source, QUALITY);
  const after = await sharp(result).metadata();
  expect(after).toMatchObject({ orientation: 6, density: 200, width: before.width, height: before.height });
  expect(after.icc).toEqual(before.icc);
  expect(after.icc).toBeDefined();
  expect(Buffer.from(result).includes("Somebody")).toBe(false);
});

it("An RGB JPEG stays RGB at the finest quality, and if it is coarse already", async () => {
  const raw = await rawPicture(200, 150);
  const ballast = makeSegment(0xfe, new Uint8Array(60_000));
  const fine = joinJpeg([adobe(0), ballast, ...(await rgbSegments(raw, 92))]);
  const coarse = joinJpeg([adobe(0), ballast, ...(await rgbSegments(raw, 20))]);
  for (const [source, quality] of [
    [fine, 100],
    [coarse, 90],
  ] as const) {
    // biome-ignore format: pairs
    const result = await recompressed(source, quality);
    expect((await decodeRgb(result)).equals(await decodeRgb(source))).toBe(true);
  }
});

it("An RGB JPEG never becomes larger", async () => {
  const raw = await rawPicture(200, 150);
  for (const quality of [30, 50, 65, 75, 85, 95]) {
    const source = joinJpeg([adobe(0), ...(await rgbSegments(raw, quality))]);
    for (const wanted of [50, 65, 80, 95]) {
      const result = await recompressJpeg(source, wanted);
      if (result.outcome === "recompressed") expect(result.bytes.length).toBeLessThan(source.length);
    }
  }
});
