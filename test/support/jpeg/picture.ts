import sharp, { type Sharp } from "sharp";
import { seededRandom } from "./seeded-random.ts";

export interface PictureShape {
  readonly width: number;
  readonly height: number;
  readonly channels?: 1 | 3;
  readonly seed?: number;
}

/** A picture with elements of a photo: slopes, edges, fine waves and noise. */
export function makePicture({ width, height, channels = 3, seed = 1 }: PictureShape): Sharp {
  const random = seededRandom(seed);
  const pixels = new Uint8ClampedArray(width * height * channels);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const edge = (x - width / 3) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2 ? 70 : 0;
      for (let channel = 0; channel < channels; channel++) {
        const slope = ((x * (channel + 1)) / width) * 60 + (y / height) * 50;
        const wave = 25 * Math.sin((x + channel * 5) / 3 + y / (5 + channel));
        pixels[at++] = 40 + slope + wave + (channel === 1 ? -edge : edge) + random() * 24;
      }
    }
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Buffer;
}

/** Decodes with libjpeg-turbo, without rotation and profile. @throws if the decoder warns */
export async function decodePixels(jpeg: Uint8Array): Promise<Pixels> {
  const image = sharp(jpeg, { failOn: "warning" });
  const { space } = await image.metadata();
  const { data, info } = await image
    .pipelineColourspace(space ?? "srgb")
    .toColourspace(space ?? "srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}
