import sharp, { type Sharp } from "sharp";
import { rgbaToThumbHash, thumbHashToRGBA } from "thumbhash";

/** The placeholder that `thumbhash` makes of the pixels that sharp decodes, at the size that its author recommends. */
export async function thumbHashOf(picture: Buffer | Uint8Array | Sharp): Promise<string> {
  const image = "clone" in picture ? picture.clone() : sharp(picture, { failOn: "none" }).autoOrient();
  const { data, info } = await image
    .toColourspace("srgb")
    .ensureAlpha()
    .resize(100, 100, { fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

/** The mean difference of the samples that two placeholders show, on a gray ground; infinite for other shapes. */
export function placeholderDistance(one: string, other: string): number {
  const [a, b] = [one, other].map((hash) => thumbHashToRGBA(Buffer.from(hash, "base64")));
  if (a === undefined || b === undefined || a.w !== b.w || a.h !== b.h) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let at = 0; at < a.rgba.length; at += 4) {
    for (let channel = 0; channel < 3; channel++) {
      sum += Math.abs(onGray(a.rgba, at, channel) - onGray(b.rgba, at, channel));
    }
  }
  return sum / (a.w * a.h * 3);
}

function onGray(rgba: Uint8Array, at: number, channel: number): number {
  const share = (rgba[at + 3] ?? 0) / 255;
  return (rgba[at + channel] ?? 0) * share + 128 * (1 - share);
}
