import { beforeAll, describe, expect, it } from "vitest";
import { SAMSUNG_TIME, samsungBlocks } from "../../support/jpeg/hdr-photos.ts";
import { type PhonePhoto, phonePhoto } from "../../support/jpeg/phone-photos.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { privateTags, readTags } from "../../support/metadata/exiftool.ts";
import { hashFrames, phoneMov, plainMp4 } from "../../support/metadata/films.ts";
import { scrub } from "../../support/metadata/scrub.ts";

// COMP-4 and META-2: photos with an HDR gain map or a film, compressed and not.

let film: Buffer;
let samples: Record<"hdr" | "motion" | "both", PhonePhoto>;

beforeAll(async () => {
  film = await plainMp4();
  const [hdr, motion, both] = await Promise.all([
    phonePhoto({ hdr: true }),
    phonePhoto({ hdr: false, film }),
    phonePhoto({ hdr: true, film }),
  ]);
  samples = { hdr, motion, both };
});

async function recompress(file: Uint8Array): Promise<Buffer> {
  const result = await recompressJpeg(Buffer.from(file), 65);
  if (result.outcome !== "recompressed") throw new Error(result.reason);
  return Buffer.from(result.bytes);
}

/** The values of a tag, in any group. */
async function valuesOf(bytes: Uint8Array, name: string): Promise<unknown[]> {
  return Object.entries(await readTags(bytes, "a.jpg")).flatMap(([tag, value]) =>
    tag.endsWith(`:${name}`) ? [value] : [],
  );
}

describe.each(["hdr", "motion", "both"] as const)("a photo of a phone: %s", (kind) => {
  it("The first picture is compressed like a single picture, and its parts follow it", async () => {
    const { file, primary, gainMap } = samples[kind];
    const result = await recompress(file);
    const alone = await recompress(primary);
    // The picture is the same from the quantisation tables on.
    const data = alone.subarray(alone.indexOf(Buffer.from([0xff, 0xdb])));
    const at = result.indexOf(data);
    expect(at).toBeGreaterThan(0);
    const mapAt = at + data.length;
    const filmAt = mapAt + (gainMap?.length ?? 0);
    if (gainMap !== undefined) {
      expect(result.subarray(mapAt, filmAt).equals(gainMap)).toBe(true);
      const tiffAt = result.indexOf("MPF\0") + 4;
      expect(result.readUInt32BE(tiffAt + 50 + 4)).toBe(mapAt);
      expect(result.readUInt32BE(tiffAt + 50 + 20)).toBe(gainMap.length);
      expect(tiffAt + result.readUInt32BE(tiffAt + 50 + 24)).toBe(mapAt);
      expect(await valuesOf(result, "GainMapMax")).toEqual(await valuesOf(file, "GainMapMax"));
    }
    const lengths = [gainMap?.length, samples[kind].film?.length].filter((length) => length !== undefined);
    const written = Array.from(result.toString("latin1").matchAll(/Item:Length="(\d+)"/g), ([, length]) =>
      Number(length),
    );
    expect(written).toEqual(lengths);
    if (samples[kind].film !== undefined) {
      const behind = result.subarray(filmAt);
      expect(behind.length).toBe(film.length);
      expect(await hashFrames(behind)).toBe(await hashFrames(film));
      expect(await valuesOf(result, "MicroVideoOffset")).toEqual([film.length]);
    }
    expect(result.length).toBeLessThan(file.length);
  });

  it("exiftool finds no place in the compressed photo, nor in a photo that is stored without compression", async () => {
    const { file } = samples[kind];
    expect(privateTags(await readTags(file, "a.jpg"))).not.toEqual([]);
    const scrubbed = await scrub(file, "image/jpeg", "private");
    for (const bytes of [await recompress(file), scrubbed]) {
      expect(privateTags(await readTags(bytes, "a.jpg"))).toEqual([]);
      expect(bytes.includes("+48.2082")).toBe(false);
      // exiftool of 2023 does not know the segments of ISO 21496-1.
      expect((await valuesOf(bytes, "Warning")).filter((text) => !String(text).startsWith("[minor]"))).toEqual([]);
    }
    const stored = samples[kind].film;
    if (stored !== undefined) {
      expect(await hashFrames(scrubbed.subarray(file.length - stored.length))).toBe(await hashFrames(stored));
    }
  });
});

describe("Samsung's motion photo", () => {
  const NAME = "MotionPhoto_Data";
  let file: Buffer;
  let filmBytes: number;
  beforeAll(async () => {
    const motion = { type: 0x0a30, name: NAME, data: await phoneMov() };
    filmBytes = motion.data.length;
    const depth = { type: 0x0ab0, name: "DualShot_DepthMap_1", data: "GPSLatitude of the depth map" };
    file = Buffer.concat([samples.motion.primary, samsungBlocks(SAMSUNG_TIME, motion, depth)]);
  });

  it("Samsung's motion photo is stored without compression, because its film could not be found again", async () => {
    expect(await recompressJpeg(file, 65)).toEqual({
      outcome: "kept",
      reason: "A gain map or a film that cannot be written again",
    });
  });

  it.each(["private", "none"] as const)(
    "exiftool finds no place and no depth map with `metadata: %s`, and the film plays as before",
    async (mode) => {
      const filmOf = (bytes: Buffer) => {
        const at = bytes.indexOf(NAME) + NAME.length;
        return bytes.subarray(at, at + filmBytes);
      };
      const placesOf = async (bytes: Buffer) => [
        ...privateTags(await readTags(bytes, "a.jpg")),
        ...privateTags(await readTags(filmOf(bytes), "a.mov")),
      ];
      expect((await placesOf(file)).join()).toMatch(/GPSLatitude.*GPSCoordinates/s);
      const scrubbed = await scrub(file, "image/jpeg", mode);
      expect(scrubbed.length).toBe(file.length);
      expect(await placesOf(scrubbed)).toEqual([]);
      expect(scrubbed.includes("GPSLatitude of the depth map")).toBe(false);
      expect(await hashFrames(filmOf(scrubbed))).toBe(await hashFrames(filmOf(file)));
      expect(await valuesOf(scrubbed, "EmbeddedVideoFile")).toEqual(await valuesOf(file, "EmbeddedVideoFile"));
    },
  );
});

it("A film that is announced but missing is no reason to lose another part", async () => {
  const file = samples.motion.file.subarray(0, samples.motion.file.length - film.length);
  expect((await recompressJpeg(Buffer.from(file), 65)).outcome).toBe("kept");
});
