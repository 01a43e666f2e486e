import type { EngineMemory } from "../media/webp/compress-webp.ts";
import { MAX_KEPT_PIXELS } from "../media/webp/libwebp-engine.ts";

const MIB = 1024 * 1024;
/** A new instance has this much memory. */
const INSTANCE_BYTES = 16 * MIB;
/** The most memory of an encoder of lossless pixels or alpha. */
const MAX_LOSSLESS_BYTES = 60 * MIB;

/** The largest pictures that the Codec Worker's libwebp takes: they block the thread for less than a second. The Container takes larger ones. */
export const MAX_PIXELS = { lossy: 4_200_000, lossless: 1_050_000 };

/** The milliseconds for which decoding and encoding block the thread of a slow machine. */
export function webpBlockingMs(pixels: number): number {
  return 0.0003 * pixels;
}

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
  const lossless = mayBeLossless ? Math.min(MAX_LOSSLESS_BYTES, INSTANCE_BYTES + 85 * pixels) : 0;
  const encoderBytes = Math.max(INSTANCE_BYTES, lossless, usualBytes(pixels, resultBytes));
  const decoderBytes = Math.max(INSTANCE_BYTES, decodedBytes(pixels, sizeBytes, mayBeLossless));
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

/** Memory for decoding a WebP whose file is held already. */
export interface DecodingMemory {
  readonly decoderBytes: number;
  /** The decoder's instance and the pixels. */
  readonly heldBytes: number;
}

/**
 * The memory that decoding a WebP may take. The first memory of a decoder for small pictures is not counted: the engine keeps that decoder.
 * @param sizeBytes of the file
 * @param isLossless whether the picture or its alpha is lossless
 */
export function decodingMemory(pixels: number, sizeBytes: number, isLossless: boolean): DecodingMemory {
  const needed = decodedBytes(pixels, sizeBytes, isLossless);
  const decoderBytes = Math.max(INSTANCE_BYTES, needed);
  const heldBytes = Math.round((pixels <= MAX_KEPT_PIXELS ? needed : decoderBytes) + 4 * pixels);
  return { decoderBytes, heldBytes };
}

/** Memory for encoding a lossy WebP of pixels that are held already. */
export interface EncodingMemory {
  readonly encoderBytes: number;
  /** The encoder's instance without its first memory, the result, and a copy of it with a colour profile. */
  readonly heldBytes: number;
  readonly savesMemory: boolean;
}

/** An encoder that would need more for noise saves memory. */
const MAX_USUAL_BYTES = 32 * MIB;

/**
 * The memory that encoding a lossy WebP may take. It is enough for all opaque pictures, also for noise. Alpha is compressed without loss; at
 * 1.5 megapixels its noise, and at 2.1 megapixels a usual cut-out, takes all that the encoder may have.
 */
export function encodingMemory(pixels: number, quality: number, isOpaque: boolean): EncodingMemory {
  const resultBytes = noiseBytes(quality) * pixels;
  const usual = usualBytes(pixels, resultBytes);
  const savesMemory = usual > MAX_USUAL_BYTES;
  const alphaBytes = isOpaque ? 0 : Math.min(MAX_LOSSLESS_BYTES, 42 * pixels);
  const encoderBytes = Math.max(INSTANCE_BYTES, savesMemory ? 14 * pixels : usual, alphaBytes);
  const heldBytes = Math.round(encoderBytes - INSTANCE_BYTES + 2 * (resultBytes + (isOpaque ? 0 : pixels)));
  return { encoderBytes, heldBytes, savesMemory };
}

/** Memory of the decoder's instance. */
function decodedBytes(pixels: number, sizeBytes: number, isLossless: boolean): number {
  return (isLossless ? 11 : 4.4) * pixels + 2.2 * sizeBytes;
}

/** Memory of the encoder's instance for a lossy picture. */
function usualBytes(pixels: number, resultBytes: number): number {
  return 10.5 * pixels + 27 * resultBytes;
}

/** The most bytes of a lossy pixel: the result of noise. */
function noiseBytes(quality: number): number {
  return 0.85 + 0.0225 * Math.max(0, quality - 80);
}
