import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { DQT } from "../../../src/media/jpeg/markers.ts";
import { APPLE_SECRET, HDR_KINDS, hdrPhoto } from "../../support/jpeg/hdr-photos.ts";
import { ISO } from "../../support/jpeg/phone-photos.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { decode, meanError } from "../../support/media/pictures.ts";
import { privateTags, readTags, validate } from "../../support/metadata/exiftool.ts";
import { scrub } from "../../support/metadata/scrub.ts";

// COMP-4: libultrahdr, which sharp includes, shows a compressed HDR photo like its source.

const QUALITY = 65;
/** The white of the standard rendition in the HDR rendition of libvips 8.18. Newer versions write 203 / 80. */
const WHITE = 1;

interface Renditions {
  /** The gain map as a JPEG. */
  readonly map: Uint8Array;
  readonly sdr: Buffer;
  /** For displays that show all of the map's boost; linear. */
  readonly hdr: Float32Array;
}

async function render(file: Uint8Array): Promise<Renditions> {
  const { gainMap } = await sharp(file).metadata();
  if (gainMap === undefined) throw new Error("libultrahdr finds no gain map");
  const { pixels: sdr } = await decode(file);
  // sharp's types lack it.
  const bright = (sharp(file) as Sharp & { withGainMap(): Sharp }).withGainMap();
  const data = await bright.raw({ depth: "float" }).toBuffer();
  return { map: gainMap.image, sdr, hdr: new Float32Array(data.buffer, data.byteOffset, data.length / 4) };
}

/** The light of a sample (IEC 61966-2-1). */
function lightOf(sample: number): number {
  const value = sample / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Whether the first segment of the picture itself, after the metadata, begins here. */
function isTable(jpeg: Uint8Array, at: number): boolean {
  return jpeg[at] === 0xff && jpeg[at + 1] === DQT;
}

/** How many times brighter each sample of the HDR rendition is. Black samples without an offset have no gain. */
function gainsOf({ sdr, hdr }: Renditions, offset: number): number[] {
  return Array.from(hdr, (value, at) => {
    const light = lightOf(sdr[Math.floor(at / 3) * 4 + (at % 3)] ?? 0);
    return light + offset === 0 ? Number.NaN : (value / WHITE + offset) / (light + offset);
  });
}

describe.each(HDR_KINDS)("an HDR photo: $title", (kind) => {
  let source: Buffer;
  let result: Buffer;
  let before: Renditions;
  let after: Renditions;

  beforeAll(async () => {
    source = await hdrPhoto(kind);
    const recompression = await recompressJpeg(source, QUALITY);
    if (recompression.outcome === "kept") throw new Error(recompression.reason);
    result = Buffer.from(recompression.bytes);
    [before, after] = await Promise.all([render(source), render(result)]);
  });

  it("The compressed photo's gain map has the same bytes, except for its place", () => {
    const pictureOf = (map: Uint8Array) => Buffer.from(map.subarray(map.findIndex((_, at) => isTable(map, at))));
    expect(pictureOf(after.map).equals(pictureOf(before.map))).toBe(true);
    expect(after.map.length).toBe(before.map.length);
    expect(result.length).toBeLessThan(source.length * 0.45);
  });

  it("The compressed photo announces its gain map like the source, and its index has the map's place", () => {
    const mapAt = (file: Buffer) => {
      const tiffAt = file.indexOf("MPF\0") + 4;
      return tiffAt + file.readUInt32BE(tiffAt + 74);
    };
    const at = mapAt(result);
    expect(result.readUInt32BE(result.indexOf("MPF\0") + 4 + 70)).toBe(after.map.length);
    expect(result.subarray(at, at + after.map.length).equals(after.map)).toBe(true);
    const announced = (file: Buffer) =>
      [ISO, 'hdrgm:Version="1.0"', `Item:Length="${after.map.length}"`].map((mark) =>
        file.subarray(0, mapAt(file)).includes(mark),
      );
    const [inSource, inResult] = [announced(source), announced(result)];
    // Lightroom writes no directory with the map's length, which Ultra HDR needs.
    expect(inResult).toEqual(inSource.map((isThere, at) => isThere || (at === 2 && inSource[1] === true)));
    expect(result.includes("AMPF")).toBe(kind.title.startsWith("Apple"));
  });

  it("The standard rendition differs no more than mozjpeg's at the same quality", async () => {
    const peer = await decode(
      await sharp(source, { ignoreIcc: true }).jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer(),
    );
    expect(meanError(after.sdr, before.sdr)).toBeLessThan(meanError(peer.pixels, before.sdr) * 1.02);
  });

  it("The HDR rendition has the same gain at each pixel", () => {
    const actual = gainsOf(after, kind.offset);
    const gains = gainsOf(before, kind.offset).map((gain, at) => ({
      gain,
      change: Math.abs((actual[at] ?? 0) / gain - 1),
    }));
    const known = gains.filter(({ change }) => !Number.isNaN(change));
    expect(known.length).toBeGreaterThan(gains.length * 0.9);
    expect(known.some(({ gain }) => gain > 2)).toBe(true);
    expect(known.filter(({ change }) => change > 1e-4).length).toBe(0);
  });

  it("exiftool finds no place and no fault in the compressed photo", async () => {
    expect(privateTags(await readTags(source, "a.jpg"))).not.toEqual([]);
    expect(privateTags(await readTags(result, "a.jpg"))).toEqual([]);
    expect(result.includes(APPLE_SECRET)).toBe(false);
    expect(await validate(result, "a.jpg")).toEqual([]);
  });

  it.each(["private", "none"] as const)(
    "A photo that is stored without compression keeps its gains, and loses its place: %s",
    async (mode) => {
      const stored = await scrub(source, "image/jpeg", mode);
      const renditions = await render(stored);
      expect(renditions.sdr.equals(before.sdr)).toBe(true);
      expect(Buffer.from(renditions.hdr.buffer).equals(Buffer.from(before.hdr.buffer))).toBe(true);
      expect(privateTags(await readTags(stored, "a.jpg"))).toEqual([]);
      expect(stored.includes(APPLE_SECRET)).toBe(false);
      const faults = await validate(source, "a.jpg");
      expect((await validate(stored, "a.jpg")).filter((fault) => !faults.includes(fault))).toEqual([]);
    },
  );
});
