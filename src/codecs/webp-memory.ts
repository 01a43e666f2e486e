import type { EngineMemory } from "../media/webp/compress-webp.ts";

const MIB = 1024 * 1024;
/** A new instance has this much memory. */
const INSTANCE_BYTES = 16 * MIB;

/** The largest pictures that the Codec Worker's libwebp takes: they block the thread for less than a second. The Container takes larger ones. */
export const MAX_PIXELS = { lossy: 4_200_000, lossless: 1_050_000 };

/** Memory for one compression of a WebP. */
export interface WebpMemory extends EngineMemory {
  /** Both instances, the pixels between them, the file and its result. */
  readonly heldBytes: number;
}

/**
 * The memory that a compression of a WebP may take. An encoder whose result is smaller than its file needs no more, and no result is larger
 * than noise at the quality; both factors were measured with photos and noise at all qualities. The engine refuses to grow beyond it, so it
 * bounds every picture. An encoder's first memory is not counted: the engine keeps one for small pictures, outside the budget.
 * @param sizeBytes of the file
 * @param quality of the result
 */
export function webpMemory(pixels: number, sizeBytes: number, quality: number): WebpMemory {
  const resultBytes = Math.min(sizeBytes, noiseBytes(quality) * pixels);
  const mayBeLossless = pixels <= MAX_PIXELS.lossless;
  const lossless = mayBeLossless ? Math.min(60 * MIB, INSTANCE_BYTES + 85 * pixels) : 0;
  const encoderBytes = Math.max(INSTANCE_BYTES, lossless, 10.5 * pixels + 27 * resultBytes);
  const decoderBytes = Math.max(INSTANCE_BYTES, (mayBeLossless ? 11 : 4.4) * pixels + 2.2 * sizeBytes);
  // The result may exceed the file by an eighth of a byte a pixel before the encoder's memory is used up.
  const fileBytes = 2 * sizeBytes + pixels / 8;
  const heldBytes = Math.round(decoderBytes + 4 * pixels + encoderBytes - INSTANCE_BYTES + fileBytes);
  return { decoderBytes, encoderBytes, heldBytes };
}

/** The most memory for any picture in a file of this size. */
export function maxWebpBytes(sizeBytes: number, quality: number): number {
  const { lossy, lossless } = MAX_PIXELS;
  return Math.max(...[lossy, lossless].map((pixels) => webpMemory(pixels, sizeBytes, quality).heldBytes));
}

/** The most bytes of a lossy pixel: the result of noise. */
function noiseBytes(quality: number): number {
  return 0.85 + 0.0225 * Math.max(0, quality - 80);
}
