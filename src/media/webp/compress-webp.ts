import { type Compression, kept, LEAST_LOSSY_SAVING } from "../compression.ts";
import { readTiffOrientation } from "../exif/exif-orientation.ts";
import { orientationTiff } from "../exif/orientation-tiff.ts";
import { listAtMost } from "../list-at-most.ts";
import { isOpaque } from "../pixels/edit-pixels.ts";
import { EngineMemoryError } from "./memory-bound.ts";
import { readWebpHead } from "./read-webp-head.ts";
import { extendedHeader, type RiffChunk, readRiffChunks, riffFile } from "./riff-chunks.ts";
import type { Pixels, WebpEngine } from "./webp-engine.ts";
import { ALPHA, deniesAlpha, EXIF, ICC, readFlags, saysAlphaIsUsed, showsAlpha } from "./webp-flags.ts";

const MAX_CHUNKS = 1000;

/** The most memory of each engine's instance; unlimited by default. */
export interface EngineMemory {
  readonly decoderBytes: number;
  readonly encoderBytes: number;
}

const UNLIMITED: EngineMemory = { decoderBytes: Number.POSITIVE_INFINITY, encoderBytes: Number.POSITIVE_INFINITY };

/**
 * Compresses a WebP at the quality and keeps alpha, ICC profile and orientation. A lossless picture stays lossless.
 * @param quality 50 to 100
 * @param take takes the pixels of a sound picture, also if the original is kept
 * @returns `too-large` for more pixels than the engine takes, and if an instance needs more than its memory
 */
export async function compressWebp(
  engine: WebpEngine,
  file: Uint8Array<ArrayBuffer>,
  quality: number,
  { decoderBytes, encoderBytes }: EngineMemory = UNLIMITED,
  take?: (pixels: Pixels) => void,
): Promise<Compression> {
  const chunks = listAtMost(readRiffChunks(file), MAX_CHUNKS);
  if (chunks === undefined) return kept("Too many chunks");
  if (chunks.some(({ type }) => type === "ANIM" || type === "ANMF")) return kept("Animated");
  const size = readWebpHead(file);
  if (size.shows !== true) return kept("Damaged");
  // Viewers ignore chunks that the flags do not announce. Announcing them would change the picture.
  const flags = readFlags(chunks);
  if ((flags & ICC) === 0 && chunks.some(({ type }) => type === "ICCP")) return kept("A profile without its flag");
  if ((flags & EXIF) === 0 && readOrientation(chunks) !== 1) return kept("An orientation without its flag");
  const lossless = chunks.some(({ type }) => type === "VP8L");
  const hasLossless = lossless || chunks.some(({ type }) => type === "ALPH");
  if (size.width * size.height > engine.maxPixels[hasLossless ? "lossless" : "lossy"]) {
    return deniesAlpha(chunks) ? kept("Alpha without its flag") : { outcome: "too-large" };
  }
  try {
    const pixels = await engine.decode(file, decoderBytes);
    if (pixels === undefined || pixels.width !== size.width || pixels.height !== size.height) return kept("Damaged");
    if (hasLossless && !showsAlpha(chunks) && !isOpaque(pixels)) return kept("Alpha without its flag");
    take?.(pixels);
    const encoded = await engine.encode(pixels, { quality, lossless, maxMemoryBytes: encoderBytes });
    const bytes = withMetadata(encoded, chunks, pixels);
    const most = lossless ? file.length - 1 : file.length * (1 - LEAST_LOSSY_SAVING);
    return bytes.length <= most
      ? { outcome: "compressed", type: "image/webp", pieces: [bytes] }
      : kept("Nothing to be saved");
  } catch (error) {
    return error instanceof EngineMemoryError ? { outcome: "too-large" } : kept("Damaged");
  }
}

function isPicture(type: string): boolean {
  return type === "VP8 " || type === "VP8L";
}

/** Adds the source's ICC profile and orientation to the encoder's picture. */
function withMetadata(
  encoded: Uint8Array<ArrayBuffer>,
  source: readonly RiffChunk[],
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array<ArrayBuffer> {
  const profile = source.find(({ type }) => type === "ICCP");
  const orientation = readOrientation(source);
  if (profile === undefined && orientation === 1) return encoded;
  const picture = [...readRiffChunks(encoded)].filter(({ type }) => type === "ALPH" || isPicture(type));
  const flags = (profile === undefined ? 0 : ICC) | (orientation === 1 ? 0 : EXIF) | (hasAlpha(picture) ? ALPHA : 0);
  return riffFile([
    extendedHeader(flags, { width, height }),
    ...(profile === undefined ? [] : [profile]),
    ...picture,
    ...(orientation === 1 ? [] : [{ type: "EXIF", data: orientationTiff(orientation) }]),
  ]);
}

function hasAlpha(picture: readonly RiffChunk[]): boolean {
  return picture.some((chunk) => chunk.type === "ALPH" || saysAlphaIsUsed(chunk));
}

function readOrientation(chunks: readonly RiffChunk[]): number {
  const data = chunks.find(({ type }) => type === "EXIF")?.data;
  if (data === undefined) return 1;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  // Some writers add the six bytes of a JPEG's Exif header.
  const tiff = data.length >= 6 && view.getUint32(0) === 0x45786966 ? 6 : 0;
  return readTiffOrientation(view, tiff, data.length - tiff) ?? 1;
}
