import sharp, { type Sharp } from "sharp";
import { seededRandom } from "../jpeg/seeded-random.ts";

export type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

/** Makes raw RGBA for sharp. @param pixel the colour of a pixel by its coordinates */
export function fromPixels(width: number, height: number, pixel: (x: number, y: number) => Pixel): Sharp {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++) data.set(pixel(at % width, Math.floor(at / width)), at * 4);
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** A picture like a photo: soft shapes with a camera's noise, the same in every run. Without alpha. */
export function photo(width: number, height: number, seed = 1): Sharp {
  const random = seededRandom(seed);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const noise = (random() - 0.5) * 12;
      data[at] = 128 + 90 * Math.sin((x + seed * 31) / 40) + noise;
      data[at + 1] = 128 + 90 * Math.cos(y / 30 + x / 90) + noise;
      data[at + 2] = 128 + 60 * Math.sin((x * y) / 5000) + noise;
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** RGBA of 8 bits each as libvips decodes a file, no colour management; damaged files as far as they go. */
export async function decode(file: Uint8Array): Promise<{ pixels: Buffer; width: number; height: number }> {
  const picture = sharp(file, { ignoreIcc: true, failOn: "none", limitInputPixels: 100_000_000 });
  const { data, info } = await picture.ensureAlpha().toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The mean error per sample. */
export function meanError(one: Buffer, other: Buffer): number {
  if (one.length !== other.length) throw new Error("Pictures of different sizes");
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}
