import { beforeAll, describe, expect, it, vi } from "vitest";
import { findAlbum } from "../../../src/media/jpeg/album.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { GAIN_MAP, ISO, xmp as packet } from "../../support/jpeg/phone-photos.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { makeSegment, withBallast, withSegments } from "../../support/jpeg/segments.ts";

// A phone's HDR photo is an ordinary JPEG followed by a gain map, which recompression would drop.

const [APP1, APP2] = [0xe1, 0xe2];
const XMP = "http://ns.adobe.com/xap/1.0/\0";
const INDEX = makeSegment(APP2, "MPF\0MM\0*\0\0\0\x08");
const KEPT = { outcome: "kept", reason: "A gain map or a film that cannot be written again" };

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

describe("photos with an HDR gain map", () => {
  it.each<[string, () => Buffer]>([
    ["of Ultra HDR", () => photo([xmp('hdrgm:Version="1.0"'), INDEX], second)],
    [
      "of Ultra HDR, under another prefix",
      () => photo([xmp('xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/" g:Version="1.0"'), INDEX], second),
    ],
    ["of ISO 21496-1", () => photo([makeSegment(APP2, `${ISO}\0\0\0\0`), INDEX], second)],
    ["of Apple, announced in the primary image", () => photo([xmp('x="http://ns.apple.com/HDRGainMap/1.0/"')], second)],
    [
      "of Apple, announced in the gain map",
      () => photo([INDEX], withSegments(second, xmp('xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"'))),
    ],
    [
      "of Apple, with two maps",
      () => {
        const map = withSegments(second, xmp('x="http://ns.apple.com/HDRGainMap/1.0/" x:HDRGainMapHeadroom="4.5"'));
        return photo([INDEX], map, map);
      },
    ],
    ["after other metadata", () => photo([makeSegment(APP1, "Exif\0\0"), xmp('hdrgm:Version="1.0"')], second)],
    ["that is cut off", () => photo([xmp('hdrgm:Version="1.0"'), INDEX], second.subarray(0, second.length - 2))],
    [
      "whose own second packet alone describes it",
      () =>
        photo(
          [xmp('hdrgm:Version="1.0"'), INDEX],
          withSegments(second, xmp(""), xmp('xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"')),
        ),
    ],
  ])("A photo with an HDR gain map is kept as it is: %s", async (_, make) => {
    const source = make();
    const before = Buffer.from(source);
    expect(await recompressJpeg(source, 65)).toEqual(KEPT);
    expect(source.equals(before)).toBe(true);
  });
});

describe("photos without a gain map", () => {
  it.each<[string, () => Buffer]>([
    [
      "whose gain map an editor dropped, and not its announcement",
      () => photo([xmp('hdrgm:Version="1.0"'), makeSegment(APP2, `${ISO}\0\0\0\0`), INDEX]),
    ],
    ["with XMP of other kinds", () => photo([xmp('dc:title="hdrgm: a version"')])],
    ["with a film announced in a second packet", () => photo([xmp(""), xmp('GCamera:MotionPhoto="1"')])],
    ["with a gain map announced in a second packet", () => photo([xmp(""), xmp('hdrgm:Version="1.0"')])],
    [
      "with a gain map announced in an extended packet",
      () => photo([xmp(""), makeSegment(APP1, 'http://ns.adobe.com/xmp/extension/\0hdrgm:Version="1.0"')]),
    ],
    ["with a second picture, which goes", () => photo([INDEX], second)],
    [
      "with the words in a place without meaning",
      () => photo([makeSegment(APP1, "hdrgm:Version"), makeSegment(0xfe, XMP)]),
    ],
    ["that ends in the middle of the words", () => photo([INDEX], Buffer.from("http://ns.apple.com/HDRGainMap"))],
    [
      "with the words after its end, and no index of pictures there",
      () => photo([], Buffer.from("http://ns.apple.com/HDRGainMap/")),
    ],
  ])("A photo without a gain map is compressed: %s", async (_, make) => {
    const result = await recompressJpeg(make(), 65);
    expect(result.outcome).toBe("recompressed");
    expect(result).toEqual(await recompressJpeg(primary, 65));
  });
});

it("A gain map that only describes itself is kept", async () => {
  const map = withSegments(second, packet(GAIN_MAP));
  const result = await recompressJpeg(photo([INDEX], map), 65);
  if (result.outcome === "kept") throw new Error(result.reason);
  expect(Buffer.from(result.bytes).subarray(-map.length).equals(map)).toBe(true);
});

it("The search for a gain map ends in bounded time", async () => {
  const behind = Buffer.alloc(20_000_000, "http://ns.apple.com/HDRGainMap");
  const segments = Array.from({ length: 150 }, () => makeSegment(APP1, XMP + "h".repeat(65_000)));
  const began = performance.now();
  expect((await recompressJpeg(photo([INDEX, ...segments], behind), 65)).outcome).toBe("recompressed");
  expect(performance.now() - began).toBeLessThan(BOUNDED_MS);
});

it("A film is searched once after sixteen pictures, not after each", () => {
  const rest = Buffer.concat([...Array.from({ length: 16 }, () => second), Buffer.from("ftft")]);
  const search = vi.spyOn(Buffer.prototype, "indexOf");
  try {
    expect(
      findAlbum({ announcesGainMap: false, xmp: undefined, iso: undefined, boost: undefined }, rest),
    ).toBeUndefined();
    expect(search.mock.calls.filter(([text]) => text === "ftyp").length).toBe(1);
  } finally {
    search.mockRestore();
  }
});
