import sharp from "sharp";
import { CannotCompress } from "../cannot-compress.ts";
import type { CompressedImage, ImageLimits } from "../compressed-image.ts";
import { writeOrientation } from "../orientation.ts";
import { requirePixels } from "../pixel-limit.ts";
import { describeWebp, type WebpDescription } from "./describe-webp.ts";
import { type RiffChunk, writeWebp } from "./riff.ts";

/** A lossy pass costs quality, so it has to be worth it. */
const MAX_SIZE_RATIO = 0.97;
const ICC_FLAG = 0x20;
const ALPHA_FLAG = 0x10;
const EXIF_FLAG = 0x08;

/**
 * Encodes a WebP again: lossy at the quality, or lossless where it was lossless. Alpha, colour profile and orientation stay, all other
 * metadata goes.
 * @throws CannotCompress for animations, damaged files, and where less than 3 % would be saved
 */
export async function recompressWebp(file: Buffer, quality: number, limits: ImageLimits): Promise<CompressedImage> {
  const source = describeWebp(file);
  requirePixels(source, limits.maxPixels);
  sharp.cache(false);
  sharp.concurrency(1);
  // The profile goes along as it is: the pixels stay in its space.
  const pixels = sharp(file, { limitInputPixels: limits.maxPixels, ignoreIcc: true });
  const encoded = await pixels
    .webp(source.lossless ? { lossless: true, exact: true } : { quality })
    .toBuffer()
    .catch((error: Error) => {
      throw new CannotCompress(`undecodable: ${error.message}`);
    });
  const result = describeWebp(encoded);
  if (result.width !== source.width || result.height !== source.height)
    throw new CannotCompress("the size would change");
  const parts = writeWebp(withMetadata(result, source));
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (sizeBytes > file.length * MAX_SIZE_RATIO) throw new CannotCompress("the result is not smaller");
  return { contentType: "image/webp", width: source.width, height: source.height, parts };
}

/** The simple format where that says it all, else the extended one (RFC 9649, section 2.7). */
function withMetadata(image: WebpDescription, { icc, orientation }: WebpDescription): RiffChunk[] {
  const isSimple = icc === undefined && orientation === undefined && image.bitstream.length === 1;
  if (isSimple) return image.bitstream;
  const features = Buffer.alloc(10);
  const flags = (icc ? ICC_FLAG : 0) | (image.hasAlpha ? ALPHA_FLAG : 0) | (orientation ? EXIF_FLAG : 0);
  features.writeUInt8(flags, 0);
  features.writeUIntLE(image.width - 1, 4, 3);
  features.writeUIntLE(image.height - 1, 7, 3);
  const chunks: RiffChunk[] = [{ type: "VP8X", data: features }];
  if (icc !== undefined) chunks.push({ type: "ICCP", data: icc });
  chunks.push(...image.bitstream);
  if (orientation !== undefined) chunks.push({ type: "EXIF", data: writeOrientation(orientation) });
  return chunks;
}
