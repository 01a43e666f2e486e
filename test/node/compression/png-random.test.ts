import { crc32, constants as zlib } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { type Compressor, openCompressor } from "../../support/png/compressor.ts";
import { SAMPLES } from "../../support/png/passes.ts";
import { readPng } from "../../support/png/read-png.ts";
import { type Chunk, type ColorType, type PngPicture, writePng } from "../../support/png/write-png.ts";

// COMP-4: PNG is lossless in every form; a damaged file never becomes a sound one.

const SEED = 20261122;
const FORMS: readonly (readonly [ColorType, readonly number[]])[] = [
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
];
const STRATEGIES = [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE];
/** Kinds of samples: noise, a gradient, few values, opaque or clear, repeating low bytes. */
const TEXTURES = 5;

let compressor: Compressor;

beforeAll(async () => {
  compressor = await openCompressor();
});

type Random = () => number;
const below = (random: Random, end: number) => Math.floor(random() * end);
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)] as T;

function randomPicture(random: Random, width: number, height: number): PngPicture {
  const [colorType, depths] = pick(random, FORMS);
  const bitDepth = pick(random, depths);
  const samples = SAMPLES[colorType] ?? 1;
  const most = 2 ** bitDepth - 1;
  const texture = below(random, TEXTURES);
  const isGray = random() < 0.3;
  const values = Array.from({ length: 5 }, () => below(random, most + 1));
  const colours = colorType === 3 ? 1 + below(random, 2 ** bitDepth) : 0;
  const sampleOf = (x: number, y: number, sample: number): number => {
    const isAlpha = sample === samples - 1 && samples % 2 === 0;
    if (texture === 0) return below(random, most + 1);
    if (texture === 1) return isAlpha ? most : (x * 3 + y * 2 + (isGray ? 0 : sample * 40)) & most;
    if (texture === 2) return values[(x + y * 3 + (isGray ? 0 : sample)) % values.length] ?? 0;
    if (texture === 3) return isAlpha ? (x % 5 === 0 ? 0 : most) : (x * y) & most;
    return bitDepth === 16 ? ((x + y) & 255) * 257 : x & most;
  };
  const pixel = (x: number, y: number) =>
    colorType === 3
      ? [sampleOf(x, y, 0) % colours]
      : Array.from({ length: samples }, (_, sample) => sampleOf(x, y, sample));
  const before =
    colorType === 3
      ? palette(random, colours)
      : colorType % 4 === 2 || colorType === 0
        ? key(random, colorType, values)
        : [];
  return {
    width,
    height,
    colorType,
    bitDepth,
    pixel,
    before,
    interlaced: random() < 0.5,
    filter: pick(random, [() => 0, (row: number) => row % 5, () => below(random, 5), () => 4]),
    idatBytes: pick(random, [1, 7, 100, Number.POSITIVE_INFINITY]),
    level: pick(random, [0, 1, 9]),
    strategy: pick(random, STRATEGIES),
  };
}

function palette(random: Random, colours: number): Chunk[] {
  const bytes = Buffer.from(Array.from({ length: 3 * colours }, () => below(random, 256)));
  const alphas = Buffer.from(Array.from({ length: below(random, colours + 1) }, () => below(random, 256)));
  return alphas.length === 0 ? [["PLTE", bytes]] : [["PLTE", bytes], ["tRNS", alphas]]; // biome-ignore format: chunks
}

function key(random: Random, colorType: ColorType, [value = 0]: readonly number[]): Chunk[] {
  if (colorType === 6 || random() < 0.6) return [];
  const data = Buffer.alloc(colorType === 0 ? 2 : 6);
  for (let at = 0; at < data.length; at += 2) data.writeUInt16BE(value, at);
  return [["tRNS", data]];
}

/** Draws the pixels once: the noise texture differs each time. */
function frozen(picture: PngPicture): PngPicture {
  const rows = Array.from({ length: picture.height }, (_, y) =>
    Array.from({ length: picture.width }, (_, x) => picture.pixel(x, y)),
  );
  return { ...picture, pixel: (x, y) => rows[y]?.[x] ?? [] };
}

const SIZES: readonly (readonly [number, number])[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 17].flatMap((side): [number, number][] => [[side, 1], [1, side], [side, side]]), // biome-ignore format: sizes
  ...[[300, 40], [33, 200], [257, 129], [1000, 3], [3, 1000]] as const, // biome-ignore format: sizes
];

describe("random PNGs", () => {
  it.each(Array.from({ length: 6 }, (_, round) => round))("A random PNG keeps its pixels, round %i", async (round) => {
    const random = seededRandom(SEED + round);
    let compressed = 0;
    for (const [width, height] of SIZES) {
      const picture = frozen(randomPicture(random, width, height));
      const original = writePng(picture);
      const result = await compressor.png(original);
      if (result === undefined) continue;
      compressed += 1;
      expect(result.length).toBeLessThan(original.length);
      const [before, after] = [readPng(original), readPng(result)];
      expect([after.width, after.height]).toEqual([width, height]);
      expect(Buffer.from(after.pixels.buffer).equals(Buffer.from(before.pixels.buffer)), JSON.stringify(picture)).toBe(
        true,
      );
    }
    expect(compressed).toBeGreaterThan(SIZES.length / 3);
  });

  it("A random PNG gives the same file twice", async () => {
    const original = writePng(frozen(randomPicture(seededRandom(SEED), 200, 100)));
    expect(await compressor.png(original)).toEqual(await compressor.png(original));
  });
});

describe("damaged PNGs", () => {
  it.each([1, 6, 9])(
    "A damaged PNG is never compressed to a picture that its decoder would not show, level %i",
    async (level) => {
      const random = seededRandom(SEED + level);
      const picture = { width: 90, height: 70, colorType: 2, bitDepth: 8, level } as const;
      const sound = writePng({ ...picture, pixel: (x, y) => [x * 2, y * 3, (x * y) >> 4], filter: (row) => row % 5 });
      let kept = 0;
      for (let i = 0; i < 300; i++) {
        const file = Buffer.from(sound);
        const at = 41 + below(random, file.length - 41 - 16);
        file[at] = (file[at] ?? 0) ^ (1 << below(random, 8));
        const result = await compressor.png(withChecksums(file));
        if (result === undefined) kept += 1;
        else expect(readPng(result).pixels).toEqual(readPng(withChecksums(file)).pixels);
      }
      // Nearly every bit of a deflated picture matters, and the checksum covers the others.
      expect(kept).toBeGreaterThan(280);
    },
  );

  it("A PNG whose data is cut off anywhere is kept as it is", async () => {
    const pixel = (x: number, y: number) => [x * 7, y * 5, x ^ y];
    const sound = writePng({ width: 40, height: 30, colorType: 2, bitDepth: 8, pixel, level: 6, interlaced: true });
    const size = sound.readUInt32BE(33);
    for (let left = 0; left < size; left += 13) {
      const file = Buffer.concat([sound.subarray(0, 41 + left), sound.subarray(41 + size)]);
      file.writeUInt32BE(left, 33);
      expect(await compressor.png(withChecksums(file))).toBeUndefined();
    }
  });
});

/** The only IDAT follows IHDR, with a correct checksum. */
function withChecksums(file: Buffer): Buffer {
  const end = 41 + file.readUInt32BE(33);
  file.writeUInt32BE(crc32(file.subarray(37, end)), end);
  return file;
}
