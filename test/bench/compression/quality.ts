import sharp from "sharp";
import { similarity } from "./ffmpeg.ts";
import type { Comparison } from "./speed.ts";

/** The structural similarity of both sides to the source's picture. */
export interface Quality {
  readonly product: number;
  readonly sharp: number;
}

/** A JPEG is compared in its stored format, so that no conversion adds to the difference. */
const JPEG_FORMATS = new Map([
  ["4:4:4", "yuvj444p"],
  ["4:2:2", "yuvj422p"],
  ["4:2:0", "yuvj420p"],
]);

export async function compareQuality({ source, product, sharp: rival }: Comparison): Promise<Quality> {
  const { chromaSubsampling = "" } = await sharp(source.file).metadata();
  const format = source.type === "image/jpeg" ? JPEG_FORMATS.get(chromaSubsampling) : "yuv420p";
  if (format === undefined) throw new Error(`No pixel format for ${chromaSubsampling}`);
  return {
    product: await similarity(product.file, source.file, format),
    sharp: await similarity(rival.file, source.file, format),
  };
}

/** @throws Error if a lossless compression changed a pixel */
export async function requireSamePixels({ source, product }: Comparison): Promise<void> {
  const [before, after] = await Promise.all([pixels(source.file), pixels(product.file)]);
  if (!before.equals(after)) throw new Error(`${source.name}: its pixels changed`);
}

async function pixels(file: Buffer): Promise<Buffer> {
  return sharp(file).toColourspace("rgb16").ensureAlpha().raw({ depth: "ushort" }).toBuffer();
}
