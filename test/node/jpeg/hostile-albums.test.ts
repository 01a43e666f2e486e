import { beforeAll, describe, expect, it } from "vitest";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { HDR_KINDS, hdrPhoto } from "../../support/jpeg/hdr-photos.ts";
import { xmp } from "../../support/jpeg/phone-photos.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { makeSegment, withSegments } from "../../support/jpeg/segments.ts";
import { privateTags, readAllTags, withTags } from "../../support/metadata/exiftool.ts";
import { scrub } from "../../support/metadata/scrub.ts";

// COMP-4, META-2, META-4: indexes and packets of HDR photos that lie. The photo is compressed or stored, and its place never stays.

const LIGHTROOM = "Lightroom, with settings of each channel";
const MIB = 1024 * 1024;
/** A part of a depth map, in base64. */
const DEPTHS = "iVBORw0KGgoDepthsOfAFace";
/** Positions in the index, from its TIFF header. */
const AT = { directory: 4, entryCount: 8, listBytes: 38, mapBytes: 70, mapOffset: 74 };

let photo: Buffer;
/** A picture with a place that is no gain map. */
let preview: Buffer;

beforeAll(async () => {
  const jpeg = await makePicture({ width: 64, height: 48 }).jpeg().toBuffer();
  preview = await withTags(jpeg, "a.jpg", "-GPSLatitude=48.2", "-GPSLatitudeRef=N");
  const kind = HDR_KINDS.find(({ title }) => title === LIGHTROOM);
  if (kind === undefined) throw new Error("No such kind");
  photo = await hdrPhoto(kind);
});

/** The photo with this value in its index. */
function withIndex(at: number, value: number, bytes: 2 | 4 = 4): Buffer {
  const copy = Buffer.from(photo);
  copy.writeUIntBE(value, copy.indexOf("MPF\0") + 4 + at, bytes);
  return copy;
}

const mapOf = (file: Buffer) => {
  const tiffAt = file.indexOf("MPF\0") + 4;
  return file.subarray(tiffAt + file.readUInt32BE(tiffAt + AT.mapOffset));
};
const withMap = (change: (map: Buffer) => Uint8Array) => {
  const map = mapOf(photo);
  return Buffer.concat([photo.subarray(0, photo.length - map.length), change(map)]);
};

describe("HDR photos whose structures lie", () => {
  it.each<[string, "recompressed" | "kept", () => Buffer]>([
    ["the gain map's position is outside of the file", "recompressed", () => withIndex(AT.mapOffset, 0xffffff00)],
    ["the gain map's position is within the first picture", "recompressed", () => withIndex(AT.mapOffset, 100)],
    ["the gain map's length is 4 GB", "recompressed", () => withIndex(AT.mapBytes, 0xffffffff)],
    ["the gain map's length is 0", "recompressed", () => withIndex(AT.mapBytes, 0)],
    ["the list of pictures is 4 GB long", "recompressed", () => withIndex(AT.listBytes, 0xfffffff0)],
    ["the index has 65,535 entries", "recompressed", () => withIndex(AT.entryCount, 0xffff, 2)],
    ["the index is its own directory", "recompressed", () => withIndex(AT.directory, 0)],
    ["the index is twice in the file", "recompressed", () => withSegments(photo, makeSegment(0xe2, "MPF\0MM\0*"))],
    ["the gain map is cut off", "kept", () => photo.subarray(0, photo.length - 100)],
    ["a segment of the gain map is longer than the file", "kept", () => withMap((map) => longSegment(map))],
    ["there are two gain maps", "kept", () => Buffer.concat([photo, mapOf(photo)])],
    ["a preview is before the gain map", "recompressed", () => withMap((map) => Buffer.concat([preview, map]))],
    ["a preview follows", "recompressed", () => Buffer.concat([photo, preview])],
    [
      "bytes are between the pictures",
      "recompressed",
      () => withMap((map) => Buffer.concat([Buffer.alloc(5000, "GPS"), map])),
    ],
    ["the gain map has megabytes of XMP", "recompressed", () => withMap((map) => withSegments(map, ...packets()))],
    ["the first picture has megabytes of XMP", "recompressed", () => withSegments(photo, ...packets())],
    ["the first picture has Google's depth map", "recompressed", () => withSegments(photo, ...depthMap())],
  ])("If %s, the photo is %s, without its place", async (_, outcome, make) => {
    const file = make();
    const before = Buffer.from(file);
    const began = performance.now();
    const result = await recompressJpeg(file, 65);
    expect(performance.now() - began).toBeLessThan(BOUNDED_MS);
    expect(result.outcome).toBe(outcome);
    expect(file.equals(before)).toBe(true);
    const stored = [await scrub(file, "image/jpeg", "private"), await scrub(file, "image/jpeg", "none")];
    if (result.outcome === "recompressed") {
      const bytes = Buffer.from(result.bytes);
      stored.push(bytes);
      const tables = Buffer.from([0xff, 0xdb]);
      const picture = mapOf(photo).subarray(mapOf(photo).indexOf(tables));
      expect(mapOf(bytes).subarray(mapOf(bytes).indexOf(tables)).equals(picture)).toBe(true);
    }
    expect((await readAllTags(stored, "a.jpg")).flatMap(privateTags)).toEqual([]);
    expect(stored.filter((bytes) => bytes.includes(DEPTHS))).toEqual([]);
  });

  /** Extended packets with a place. */
  function packets(): Buffer[] {
    const content = Buffer.alloc(60_000, "<exif:GPSLatitude>48,12.5N</exif:GPSLatitude>").toString("latin1");
    return Array.from({ length: (4 * MIB) / 60_000 }, () =>
      makeSegment(0xe1, `http://ns.adobe.com/xmp/extension/\0${content}`),
    );
  }

  /** A packet and its extension (Dynamic Depth 1.0, "GDepth"). */
  function depthMap(): Uint8Array[] {
    const depth = 'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"';
    const id = "0123456789ABCDEF".repeat(2);
    const packet = `<rdf:Description ${depth} GDepth:Data="${DEPTHS.repeat(400)}"/>`;
    const head = Buffer.alloc(8);
    head.writeUInt32BE(packet.length);
    return [
      xmp(`${depth} xmlns:xmpNote="http://ns.adobe.com/xmp/note/" GDepth:Near="0.1" xmpNote:HasExtendedXMP="${id}"`),
      makeSegment(0xe1, `http://ns.adobe.com/xmp/extension/\0${id}${head.toString("latin1")}${packet}`),
    ];
  }

  function longSegment(map: Buffer): Buffer {
    return Buffer.concat([map.subarray(0, 2), Uint8Array.of(0xff, 0xe5, 0xff, 0xff), map.subarray(2)]);
  }
});
