import sharp, { type Sharp } from "sharp";
import { drawPage } from "./drawings.ts";
import { takePhoto } from "./photo.ts";
import { normal, seededRandom } from "./random.ts";

/** Pictures that are not files yet. */

export function draw(svg: string): Sharp {
  return sharp(Buffer.from(svg));
}

export function photograph(width: number, height: number, seed: number): Sharp {
  const { rgb } = takePhoto(width, height, seed);
  const bytes = new Uint8Array(rgb.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (rgb[at] as number) >> 8;
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

export function photographDeep(width: number, height: number, seed: number): Sharp {
  const { rgb } = takePhoto(width, height, seed);
  return sharp(rgb, { raw: { width, height, channels: 3 } }).toColourspace("rgb16");
}

/** An oval with a soft edge, cut out of a photo. */
export async function cutOut(width: number, height: number, seed: number): Promise<Sharp> {
  const oval = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><filter id="soft">
    <feGaussianBlur stdDeviation="20"/></filter><ellipse cx="50%" cy="50%" rx="40%" ry="40%" filter="url(#soft)"/></svg>`;
  const whole = await photograph(width, height, seed).ensureAlpha().png({ compressionLevel: 0 }).toBuffer();
  return sharp(whole).composite([{ input: Buffer.from(oval), blend: "dest-in" }]);
}

/** A screen that shows a photo. */
export async function withPhoto(screen: string, seed: number): Promise<Sharp> {
  const input = await photograph(800, 600, seed).png({ compressionLevel: 0 }).toBuffer();
  return draw(screen)
    .composite([{ input, top: 300, left: 850 }])
    .removeAlpha();
}

/** Gray, and never quite the same white. */
export async function scanPage(width: number, height: number, seed: number): Promise<Sharp> {
  const page = await draw(drawPage(width, height, seed))
    .greyscale()
    .removeAlpha()
    .raw()
    .toBuffer();
  const random = seededRandom(seed);
  const scan = page.map((value) => Math.max(0, Math.min(255, value + 1.2 * normal(random))));
  return sharp(scan, { raw: { width, height, channels: 1 } });
}
