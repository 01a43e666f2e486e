import decoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import encoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { makeLibwebpEngine } from "../media/webp/libwebp-engine.ts";

const MIB = 1024 * 1024;
/** A new instance has this much memory, and grows by a fifth at a time. */
const INSTANCE_BYTES = 16 * MIB;
const GROWTH = 1.2;

/** libwebp for pictures that block the thread for less than a second. Larger pictures are for the Container. */
export const webpEngine = makeLibwebpEngine({ decoder, encoder }, { lossy: 4_200_000, lossless: 1_050_000 });

/**
 * The most memory for decoding and encoding a WebP: both instances, the pixels between them, the file and its result. The factors are the
 * most that photos and noise needed. An encoder's first memory is not counted, because the engine keeps one encoder for small pictures
 * outside the budget.
 */
export function webpHeldBytes(pixels: number, sizeBytes: number): number {
  const decoding = Math.max(INSTANCE_BYTES, GROWTH * (4 * pixels + 2 * sizeBytes));
  const lossy = GROWTH * (9.5 * pixels + 13 * sizeBytes);
  const lossless = pixels > webpEngine.maxPixels.lossless ? 0 : Math.min(60 * MIB, INSTANCE_BYTES + 85 * pixels);
  const encoding = Math.max(0, Math.max(lossy, lossless) - INSTANCE_BYTES);
  return Math.round(decoding + 4 * pixels + encoding + 2 * sizeBytes);
}

/** The milliseconds for which decoding and encoding block the thread of a slow machine. */
export function webpBlockingMs(pixels: number): number {
  return 0.0003 * pixels;
}
