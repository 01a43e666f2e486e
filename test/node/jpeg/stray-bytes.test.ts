import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressed } from "../../support/jpeg/recompressed.ts";
import { type JpegSegment, joinJpeg, makeSegment, splitJpeg, withBallast } from "../../support/jpeg/segments.ts";
import { exifWithPlace } from "../../support/media/exif.ts";
import { decode } from "../../support/media/pictures.ts";

// Browsers show a JPEG with stray bytes between its segments. The location must still be removed from it.

const [APP1, DHT, DNL, SOF0, SOS] = [0xe1, 0xc4, 0xdc, 0xc0, 0xda];
let segments: JpegSegment[];
let plain: Buffer;

beforeAll(async () => {
  const photo = await makePicture({ width: 96, height: 64 }).jpeg({ quality: 95 }).toBuffer();
  const place = makeSegment(APP1, Buffer.concat([Buffer.from("Exif\0\0"), exifWithPlace(6)]));
  plain = joinJpeg([place, ...splitJpeg(withBallast(photo)).segments]);
  segments = splitJpeg(plain).segments;
});

/** The file with these bytes before each segment of a kind. */
const before = (marker: number, ...stray: number[]) =>
  joinJpeg(segments.flatMap((one) => (one.marker === marker ? [Uint8Array.from(stray), one] : [one])));

describe("JPEGs with stray bytes", () => {
  it.each<[string, () => Buffer]>([
    ["as it is", () => plain],
    ["with stray bytes before its tables", () => before(DHT, 1, 2, 3)],
    ["with stray bytes before its frame", () => before(SOF0, 0, 0, 7)],
    ["with stray bytes before its scan", () => before(SOS, 0x80)],
    ["with a stray FF 00", () => before(SOF0, 0xff, 0)],
    ["with RST and TEM before its frame", () => before(SOF0, 0xff, 0xd3, 0xff, 0x01)],
    ["with a segment whose length field is 0", () => before(SOF0, 0xff, 0xe5, 0, 0)],
    ["with DNL after SOI", () => joinJpeg([makeSegment(DNL, [0, 9]), ...segments])],
    ["with DNL after its scan", () => joinJpeg([...segments, makeSegment(DNL, [0, 64])])],
    [
      "with a stray byte after its Exif",
      () => joinJpeg(segments.flatMap((one) => (one.marker === APP1 ? [one, Uint8Array.of(9)] : [one]))),
    ],
  ])("A JPEG is recompressed and its location is removed: %s", async (_, make) => {
    const original = make();
    const bytes = await recompressed(original, 65);
    expect(original.includes("Somebody")).toBe(true);
    expect(Buffer.from(bytes).includes("Somebody")).toBe(false);
    // libvips shows the same picture as for the plain file.
    expect((await decode(bytes)).pixels.equals((await decode(await recompressed(plain, 65))).pixels)).toBe(true);
    expect((await sharp(bytes).metadata()).orientation).toBe(6);
  });
});
