import { beforeAll, describe, expect, it } from "vitest";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { makeSegment, withBallast, withSegments } from "../../support/jpeg/segments.ts";

// A phone's HDR photo is an ordinary JPEG with a gain map behind it, which its recompression would lose.

const [APP1, APP2] = [0xe1, 0xe2];
const XMP = "http://ns.adobe.com/xap/1.0/\0";
const INDEX = makeSegment(APP2, "MPF\0MM\0*\0\0\0\x08");
const KEPT = { outcome: "kept", reason: "An HDR gain map" };

let primary: Buffer;
let second: Buffer;

beforeAll(async () => {
  primary = withBallast(await makePicture({ width: 120, height: 80 }).jpeg({ quality: 90 }).toBuffer());
  second = await makePicture({ width: 30, height: 20 }).jpeg().toBuffer();
});

const xmp = (properties: string) =>
  makeSegment(APP1, `${XMP}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description ${properties}/></x:xmpmeta>`);

const photo = (segments: readonly Uint8Array[], ...behind: Uint8Array[]) =>
  Buffer.concat([withSegments(primary, ...segments), ...behind]);

describe("kept as it is: a photo with an HDR gain map", () => {
  it.each<[string, () => Buffer]>([
    ["of Ultra HDR", () => photo([xmp('hdrgm:Version="1.0"'), INDEX], second)],
    [
      "of Ultra HDR, under another prefix",
      () => photo([xmp('xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/" g:Version="1.0"'), INDEX], second),
    ],
    ["of ISO 21496-1", () => photo([makeSegment(APP2, "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"), INDEX], second)],
    ["of Apple, told in the primary image", () => photo([xmp('x="http://ns.apple.com/HDRGainMap/1.0/"')], second)],
    [
      "of Apple, told in the gain map",
      () => photo([INDEX], withSegments(second, xmp('xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"'))),
    ],
    ["behind other metadata", () => photo([makeSegment(APP1, "Exif\0\0"), xmp(""), xmp('hdrgm:Version="1.0"')])],
  ])("%s", async (_, make) => {
    const source = make();
    const before = Buffer.from(source);
    expect(await recompressJpeg(source, 65)).toEqual(KEPT);
    expect(source.equals(before)).toBe(true);
  });
});

describe("recompressed: a photo without", () => {
  it.each<[string, () => Buffer]>([
    ["with XMP of other kinds", () => photo([xmp('dc:title="hdrgm: a version"')])],
    ["with a second picture, which goes", () => photo([INDEX], second)],
    [
      "with the words where they mean nothing",
      () => photo([makeSegment(APP1, "hdrgm:Version"), makeSegment(0xfe, XMP)]),
    ],
    ["that ends in the middle of the words", () => photo([INDEX], Buffer.from("http://ns.apple.com/HDRGainMap"))],
    [
      "with the words behind its end, and no index that tells of pictures there",
      () => photo([], Buffer.from("http://ns.apple.com/HDRGainMap/")),
    ],
  ])("%s", async (_, make) => {
    const result = await recompressJpeg(make(), 65);
    expect(result.outcome).toBe("recompressed");
    expect(result).toEqual(await recompressJpeg(primary, 65));
  });
});

it("is looked for in bounded time", async () => {
  const behind = Buffer.alloc(20_000_000, "http://ns.apple.com/HDRGainMap");
  const segments = Array.from({ length: 150 }, () => makeSegment(APP1, XMP + "h".repeat(65_000)));
  const began = performance.now();
  expect((await recompressJpeg(photo([INDEX, ...segments], behind), 65)).outcome).toBe("recompressed");
  expect(performance.now() - began).toBeLessThan(BOUNDED_MS);
});
