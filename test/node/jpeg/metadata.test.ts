import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { decodePixels, makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { joinJpeg, makeSegment, splitJpeg, withBallast, withSegments } from "../../support/jpeg/segments.ts";

const [APP0, APP1, APP2, APP13, APP14, COM] = [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xfe];
let plain: Buffer;

beforeAll(async () => {
  plain = await makePicture({ width: 120, height: 80 }).jpeg({ quality: 90 }).toBuffer();
});

const applicationSegments = (jpeg: Uint8Array) =>
  splitJpeg(jpeg).segments.filter(({ marker }) => marker >= APP0 && (marker <= 0xef || marker === COM));

/** An Exif block of one directory: a maker's name, the orientation, and a pointer to a GPS directory. */
function exif(orientation: number, order: "II" | "MM"): Buffer {
  const uint16 = (value: number) => (order === "MM" ? [value >> 8, value & 255] : [value & 255, value >> 8]);
  const uint32 = (value: number) =>
    order === "MM" ? [...uint16(value >> 16), ...uint16(value)] : [...uint16(value), ...uint16(value >> 16)];
  const entry = (tag: number, type: number, count: number, value: number[]) => [
    ...uint16(tag),
    ...uint16(type),
    ...uint32(count),
    ...value,
  ];
  const [entries, makerAt] = [3, 8 + 2 + 3 * 12 + 4];
  return Buffer.from([
    ...Buffer.from(`Exif\0\0${order}`),
    ...uint16(42),
    ...uint32(8),
    ...uint16(entries),
    ...entry(0x010f, 2, 7, uint32(makerAt)),
    ...entry(0x0112, 3, 1, [...uint16(orientation), 0, 0]),
    ...entry(0x8825, 4, 1, uint32(makerAt + 8)),
    ...uint32(0),
    ...Buffer.from("SECRET\0\0"),
    ...uint16(1),
    ...entry(0x0001, 2, 2, [...Buffer.from("N\0\0\0")]),
    ...uint32(0),
  ]);
}

describe("ICC profiles", () => {
  it("An ICC profile is kept as it is", async () => {
    const source = await makePicture({ width: 120, height: 80 }).withIccProfile("p3").jpeg().toBuffer();
    const [before, after] = await Promise.all(
      [source, await recompressed(withBallast(source), 65)].map((jpeg) => sharp(jpeg).metadata()),
    );
    expect(before?.icc?.length).toBeGreaterThan(100);
    expect(after?.icc?.equals(before?.icc ?? Buffer.alloc(0))).toBe(true);
  });

  it("An ICC profile of several segments is kept in their order", async () => {
    const profile = Buffer.alloc(150_000, "a profile that fills three segments ");
    const chunks = [0, 1, 2].map((i) =>
      makeSegment(
        APP2,
        Buffer.concat([
          Buffer.from(`ICC_PROFILE\0${String.fromCharCode(i + 1, 3)}`),
          profile.subarray(i * 60_000, (i + 1) * 60_000),
        ]),
      ),
    );
    const source = withBallast(withSegments(plain, ...chunks));
    const kept = applicationSegments(await recompressed(source, 100)).filter(({ marker }) => marker === APP2);
    expect(kept.map(({ content }) => makeSegment(APP2, content))).toEqual(chunks);
  });
});

describe("Exif", () => {
  const cases = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(
    (value) =>
      [
        [value, "II"],
        [value, "MM"],
      ] as const,
  );

  it.each(cases)("Only the orientation stays of Exif: %i in byte order %s", async (orientation, order) => {
    const source = withSegments(plain, makeSegment(APP1, exif(orientation, order)));
    expect((await sharp(source).metadata()).orientation).toBe(orientation);
    const result = Buffer.from(await recompressed(withBallast(source), 80));
    expect((await sharp(result).metadata()).orientation ?? 1).toBe(orientation);
    expect(result.includes("SECRET")).toBe(false);
    const kept = applicationSegments(result).filter(({ marker }) => marker === APP1);
    expect(kept.map(({ content }) => content.length)).toEqual(orientation === 1 ? [] : [32]);
  });

  it("Exif is read with any fill byte, as viewers do (Exif 2.32, 4.7.2)", async () => {
    const filled = exif(6, "MM").fill(0xff, 5, 6);
    const result = await recompressed(withBallast(withSegments(plain, makeSegment(APP1, filled))), 80);
    expect((await sharp(result).metadata()).orientation).toBe(6);
  });

  it.each([0, 9, 65_535])("Exif with the meaningless orientation %i is dropped", async (orientation) => {
    const source = withSegments(plain, makeSegment(APP1, exif(orientation, "MM")));
    expect(applicationSegments(await recompressed(withBallast(source), 80))).toEqual([]);
  });
});

describe("other metadata", () => {
  it("XMP, IPTC, comments, thumbnails, multi-picture index and unknown segments are dropped", async () => {
    const source = withSegments(
      plain,
      makeSegment(APP0, "JFXX\0\x10SECRET"),
      makeSegment(APP1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>SECRET</x:xmpmeta>"),
      makeSegment(APP1, "http://ns.adobe.com/xmp/extension/\0SECRET"),
      makeSegment(APP2, "MPF\0SECRET"),
      makeSegment(0xe5, "SECRET"),
      makeSegment(APP13, "Photoshop 3.0\x008BIM\x04\x04SECRET"),
      makeSegment(COM, "SECRET"),
    );
    const result = Buffer.from(await recompressed(withBallast(source), 80));
    expect(result.includes("SECRET")).toBe(false);
    expect(applicationSegments(result)).toEqual([]);
    await decodePixels(result);
  });

  it("Pictures after the end of the first picture are dropped", async () => {
    const result = await recompressed(Buffer.concat([withBallast(plain), plain, Buffer.from("SECRET")]), 100);
    expect(splitJpeg(result).tail).toHaveLength(0);
    expect(result).toEqual(await recompressed(withBallast(plain), 100));
  });
});

describe("JFIF", () => {
  it("JFIF keeps its density, without the thumbnail", async () => {
    const { segments } = splitJpeg(
      await makePicture({ width: 64, height: 64 }).withMetadata({ density: 300 }).jpeg().toBuffer(),
    );
    const thumbnail = Uint8Array.from([...Buffer.from("JFIF\0"), 1, 2, 1, 1, 44, 1, 44, 1, 1, 0x53, 0x45, 0x43]);
    const source = joinJpeg([makeSegment(APP0, thumbnail), ...segments.filter(({ marker }) => marker < APP0)]);
    const result = await recompressed(withBallast(source), 80);
    const [jfif] = applicationSegments(result);
    expect([...(jfif?.content ?? [])]).toEqual([...Buffer.from("JFIF\0"), 1, 1, 1, 1, 44, 1, 44, 0, 0]);
    expect((await sharp(result).metadata()).density).toBe(300);
  });

  it("A JFIF segment that decoders ignore as too short is not repaired", async () => {
    const { segments } = splitJpeg(plain);
    const pictureOnly = segments.filter(({ marker }) => marker < APP0);
    const short = makeSegment(APP0, "JFIF\0\x01\x01\0\0\x01\0\x01\0");
    const source = joinJpeg([short, makeSegment(APP14, "Adobe\0\x64\0\0\0\0\0"), ...pictureOnly]);
    await expectSamePixels(source);
  });
});

async function expectSamePixels(source: Uint8Array): Promise<void> {
  const [before, after] = await Promise.all([
    decodePixels(source),
    decodePixels(await recompressed(withBallast(source), 100)),
  ]);
  expect(after.data.equals(before.data)).toBe(true);
}
