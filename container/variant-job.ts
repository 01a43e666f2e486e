import type { Sharp } from "sharp";
import { MAX_VARIANT_BYTES } from "../src/domain/variants/grid.ts";
import { MAX_MOVING_FRAMES, MAX_MOVING_PIXELS, mayMove } from "../src/domain/variants/moving.ts";
import { FORMAT_TYPES, type Variant } from "../src/domain/variants/variant.ts";
import {
  geometryOf,
  MAX_ORDERED_PIXELS,
  type PictureSize,
  pixelsOf,
  type VariantGeometry,
} from "../src/domain/variants/variant-geometry.ts";
import { hasAnimationControl } from "../src/media/has-animation-control.ts";
import { type Apng, drawApng, readApng } from "./apng.ts";
import type { ImageOutcome } from "./image-job.ts";
import { readSource, writeResult } from "./job-files.ts";
import { firstLine, openSharp } from "./open-sharp.ts";

/**
 * One variant in a process of its own, because hostile images crash libraries. `node variant-job.ts <type> <variant (JSON)> <max pixels>`
 * reads the image from descriptor 3, writes the variant to descriptor 4 and the outcome (JSON) to standard output. It uses the Codec
 * Worker's geometry.
 */

const BLUR_PIXELS = 1 / 20;
/** libvips has no weaker blur. */
const LEAST_SIGMA = 0.3;
const WHITE = "ffffffff";

const [type = "", json = "", maxPixels = "0"] = process.argv.slice(2);
const variant = JSON.parse(json) as Variant;
// Intermediate pictures are PNG.
const sharp = await openSharp([type, "image/png"]);

const ALL_FRAMES = { animated: true, limitInputPixels: Number(maxPixels), failOn: "none" } as const;

async function run(): Promise<ImageOutcome> {
  const file = readSource();
  const source = sharp(file, { limitInputPixels: Number(maxPixels), failOn: "none" });
  const { space, icc, autoOrient, orientation = 1, pages = 1 } = await source.metadata();
  // A profile for inks or gray would be wrong for RGB.
  const keep = (image: Sharp) => (icc !== undefined && space === "srgb" ? image.keepIccProfile() : image);
  const step = async (image: Sharp) => sharp(await keep(image).png({ compressionLevel: 0 }).toBuffer());

  // libvips sees one page in an APNG.
  const isApng = type === "image/png" && hasAnimationControl(file);
  const apng = isApng ? readApng(file) : undefined;
  const isFirstFrame = pages > 1 || isApng;
  let { width, height } = autoOrient;
  if (variant.rotation % 180 !== 0) [width, height] = [height, width];
  const geometry = geometryOf({ width, height }, variant);
  if (pixelsOf(geometry) > MAX_ORDERED_PIXELS) return { reason: "The variant would have too many pixels" };
  const frames = apng?.frames.length ?? pages;
  if (frames > 1 && orientation === 1 && mayMove(type, variant)) {
    const moving = await moved(apng ?? file, frames, { width, height }, geometry).catch(() => undefined);
    if (moving !== undefined) return moving;
  }
  let picture = source.autoOrient();
  if (variant.flip !== "" || variant.rotation !== 0) picture = await step(turned(picture));
  picture = resized(picture, { width, height }, geometry);
  const { cut, canvas } = geometry;
  if (cut !== undefined)
    picture = (await step(picture)).resize({ ...cut, fit: "cover", position: sharp.strategy.entropy });
  if (variant.blur > 0) picture = (await step(picture)).blur(Math.max(LEAST_SIGMA, variant.blur * BLUR_PIXELS));
  const ground = toColour(variant.background ?? (variant.format === "jpg" ? WHITE : "00000000"));
  if (variant.fit === "fill") picture = (await step(picture)).extend({ ...borders(geometry), background: ground });
  picture = flattened(variant.fit === "fill" ? await step(picture) : picture, ground);
  const { data, info } = await encoded(keep(picture)).toBuffer({ resolveWithObject: true });
  if (variant.fit === "fill" && (info.width !== canvas.width || info.height !== canvas.height))
    throw new Error("The canvas has another size");
  writeResult([data]);
  return {
    contentType: FORMAT_TYPES[variant.format],
    width: info.width,
    height: info.height,
    sizeBytes: data.length,
    isFirstFrame,
  };
}

/** All frames with their times. @returns undefined if they would be too much: the first frame is shown then */
async function moved(
  source: Buffer | Apng,
  frames: number,
  whole: PictureSize,
  geometry: VariantGeometry,
): Promise<ImageOutcome | undefined> {
  const sourcePixels = frames * whole.width * whole.height;
  const isTooMuch = frames > MAX_MOVING_FRAMES || frames * pixelsOf(geometry) > MAX_MOVING_PIXELS;
  if (isTooMuch || sourcePixels > Number(maxPixels)) return undefined;
  const all = Buffer.isBuffer(source) ? sharp(source, ALL_FRAMES) : await openApng(source);
  let picture = resized(all, whole, geometry).keepIccProfile();
  if (variant.background !== undefined) picture = flattened(picture, toColour(variant.background));
  const { data, info } = await encoded(picture).toBuffer({ resolveWithObject: true });
  if (info.pages !== frames || data.length > MAX_VARIANT_BYTES) return undefined;
  writeResult([data]);
  const { width, pageHeight: height = info.height } = info;
  return { contentType: FORMAT_TYPES[variant.format], width, height, sizeBytes: data.length };
}

async function openApng(apng: Apng): Promise<Sharp> {
  const decode = (png: Buffer) => sharp(png).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  const { pixels, raw } = await drawApng(apng, decode);
  const { loop, frames } = apng;
  const delay = frames.map(({ delayMs }) => delayMs);
  return sharp(pixels, { ...ALL_FRAMES, raw }).webp({ loop, delay });
}

/** A ground that is itself transparent changes nothing. */
function flattened(image: Sharp, ground: ReturnType<typeof toColour>): Sharp {
  return ground.alpha === 1 ? image.flatten({ background: ground }) : image;
}

/** Flips, then turns. */
function turned(image: Sharp): Sharp {
  let turning = image;
  if (variant.flip.includes("h")) turning = turning.flop();
  if (variant.flip.includes("v")) turning = turning.flip();
  return variant.rotation === 0 ? turning : turning.rotate(variant.rotation);
}

function resized(image: Sharp, whole: PictureSize, { part, picture }: VariantGeometry): Sharp {
  const left = Math.min(whole.width - 1, Math.round(part.left));
  const top = Math.min(whole.height - 1, Math.round(part.top));
  const width = Math.max(1, Math.min(whole.width - left, Math.round(part.width)));
  const height = Math.max(1, Math.min(whole.height - top, Math.round(part.height)));
  const isWhole = width === whole.width && height === whole.height;
  const shown = isWhole ? image : image.extract({ left, top, width, height });
  return shown.resize({ ...picture, fit: "fill" });
}

function borders({ picture, canvas }: VariantGeometry) {
  const { left, top } = canvas;
  return { left, top, right: canvas.width - picture.width - left, bottom: canvas.height - picture.height - top };
}

/** @param digits `rrggbbaa` */
function toColour(digits: string): { r: number; g: number; b: number; alpha: number } {
  const [r = 0, g = 0, b = 0, alpha = 255] = digits.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  return { r, g, b, alpha: alpha / 255 };
}

function encoded(image: Sharp): Sharp {
  const { format, quality } = variant;
  switch (format) {
    case "jpg":
      return image.jpeg({ quality, mozjpeg: true });
    case "png":
      return image.png();
    case "webp":
      return image.webp({ quality });
    case "avif":
      return image.avif({ quality: avifQuality(quality) });
  }
}

/** AV1 needs a smaller figure than JPEG and WebP for the same look: 56 for 75. */
function avifQuality(quality: number): number {
  return Math.max(1, Math.round(quality ** 2 / 100));
}

const outcome = await run().catch((error: unknown): ImageOutcome => ({ reason: firstLine(error) }));
process.stdout.write(JSON.stringify(outcome));
