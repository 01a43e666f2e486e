import { loadJpegEngine } from "./codecs.ts";
import { type Compression, kept } from "./compression.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { MediaType } from "./sniff.ts";

/** Larger files are stored as uploaded (DESIGN, size). */
export const MAX_COMPRESSIBLE_BYTES = 32 * 1024 * 1024;

/** Whether files of this type are compressed at all: every image is, no video ever. */
export function isCompressible(type: MediaType): boolean {
  return type.startsWith("image/");
}

/**
 * Compresses an image as its type allows; never larger, width and height never change.
 *
 * | type | becomes                                                                                         |
 * | ---- | ----------------------------------------------------------------------------------------------- |
 * | JPEG | a progressive JPEG at the quality; sampling, colours, profile, orientation and resolution stay   |
 * | PNG  | the same pixels in fewer bytes: bit depth, transparency, gamma and ICC profile stay              |
 * | WebP | a WebP at the quality, alpha, ICC profile and orientation stay; what was lossless stays so       |
 * | GIF  | a PNG of the same pixels                                                                         |
 *
 * Animated and damaged images stay as they are, and JPEGs with an HDR gain map. Only JPEG is done without making pixels, so
 * of the others one is in work at a time, and those that need too much memory are left to somebody who has it.
 * @param bytes the whole file
 * @param quality 50 to 100
 * @throws Error where a codec fails, which is no fault of the file
 */
export async function compressImage(
  type: MediaType,
  bytes: Uint8Array<ArrayBuffer>,
  quality: number,
): Promise<Compression> {
  switch (type) {
    case "image/jpeg":
      return compressJpeg(bytes, quality);
    case "image/png":
      return oneAtATime(async () => (await import("./png/compress-png.ts")).compressPng(bytes));
    case "image/webp":
      return oneAtATime(async () => (await import("./webp/compress-webp.ts")).compressWebp(bytes, quality));
    case "image/gif":
      return oneAtATime(async () => (await import("./gif/compress-gif.ts")).compressGif(bytes));
    default:
      return kept("Videos are not compressed");
  }
}

async function compressJpeg(bytes: Uint8Array<ArrayBuffer>, quality: number): Promise<Compression> {
  const [{ recompressJpeg }, engine] = await Promise.all([import("./jpeg/recompress-jpeg.ts"), loadJpegEngine()]);
  const result = recompressJpeg(engine, bytes, quality);
  return result.outcome === "kept" ? result : { outcome: "compressed", type: "image/jpeg", bytes: result.bytes };
}
