import type { MediaType } from "../domain/media-types.ts";
import { type Placeholder, placeholderSize } from "../domain/placeholder.ts";
import type { GrowingLease } from "../isolate/memory-budget.ts";
import { ThreadShare } from "../isolate/yield-thread.ts";
import type { CodecTools } from "../media/codec-tools.ts";
import type { Compression } from "../media/compression.ts";
import { compressGif } from "../media/gif/compress-gif.ts";
import jpegEngine from "../media/jpeg/engine/jpeg-engine.wasm";
import { MAX_JPEG_BYTES, recompressJpeg } from "../media/jpeg/recompress-jpeg.ts";
import { toPlaceholder } from "../media/placeholder/to-placeholder.ts";
import { compressPng } from "../media/png/compress-png.ts";
import pngEngine from "../media/png/engine/png-engine.wasm";
import resampler from "../media/resample/engine/resample-engine.wasm";
import { resamplePixels } from "../media/resample/resample-pixels.ts";
import { thinPixels } from "../media/resample/thin-pixels.ts";
import { wholeWindow } from "../media/resample/window.ts";
import { compressWebp } from "../media/webp/compress-webp.ts";
import { readWebpHead } from "../media/webp/read-webp-head.ts";
import type { Pixels } from "../media/webp/webp-engine.ts";
import type { IncomingImage } from "./incoming-image.ts";
import { growTo, isolateMemory, LEAST_BYTES } from "./isolate-memory.ts";
import { webpEngine } from "./libwebp.ts";
import { maxWebpBytes, webpBlockingMs, webpMemory } from "./webp-memory.ts";

const MIB = 1024 * 1024;
/** Memory for PNG and GIF besides the file and its result. It does not depend on the image's dimensions. */
const ROWS_BYTES = 24 * MIB;
/** The bytes that an engine reserves ahead, so that it does not ask for each row. */
const AHEAD_BYTES = 2 * MIB;

export interface ImageInWork {
  readonly type: MediaType;
  readonly quality: number;
  readonly image: IncomingImage;
  /** The image's share of the isolate's memory. It starts empty and may grow to `maxHeldBytes`. */
  readonly lease: GrowingLease;
  /** Takes the placeholder of an image whose pixels or coefficients are there anyhow: a JPEG or a WebP. */
  readonly takePlaceholder?: ((placeholder: Placeholder) => void) | undefined;
}

/** The most memory for an image of this type, size and quality: the file, engines and the result. */
export function maxHeldBytes(type: MediaType, sizeBytes: number, quality: number): number {
  switch (type) {
    case "image/jpeg":
      return Math.max(LEAST_BYTES, MAX_JPEG_BYTES);
    case "image/webp":
      return Math.min(isolateMemory.totalBytes, maxWebpBytes(sizeBytes, quality));
    default:
      return 2 * sizeBytes + ROWS_BYTES;
  }
}

/**
 * Compresses an image according to its type (COMP-3 to COMP-5).
 *
 * | type | becomes                                                                                          |
 * | ---- | ------------------------------------------------------------------------------------------------ |
 * | JPEG | a progressive JPEG at the quality; sampling, colours, profile, orientation and resolution stay   |
 * | PNG  | the same pixels in fewer bytes: bit depth, transparency, gamma and ICC profile stay              |
 * | WebP | a WebP at the quality; alpha, ICC profile and orientation stay; a lossless one stays lossless    |
 * | GIF  | a PNG of the same pixels                                                                         |
 *
 * Animated and damaged images stay as they are, and JPEGs with a gain map or a film that cannot be written again.
 * @throws CodecsBusy if no memory is free in time
 * @throws Error if a codec or the image's stream fails, which is not the file's fault
 */
export async function compressImage(work: ImageInWork): Promise<Compression> {
  switch (work.type) {
    case "image/jpeg":
      return compressAsJpeg(work);
    case "image/webp":
      return compressAsWebp(work);
    case "image/png":
    case "image/gif":
      return compressByRows(work);
    default:
      return { outcome: "kept", reason: "Videos are not compressed" };
  }
}

async function compressAsJpeg({ image, quality, lease, takePlaceholder }: ImageInWork): Promise<Compression> {
  await growTo(lease, Math.max(LEAST_BYTES, image.sizeBytes));
  const file = await image.readAll();
  const tools = {
    ...openTools(jpegEngine),
    small: takePlaceholder && {
      resampler,
      sizeOf: placeholderSize,
      take: (pixels: Pixels) => takePlaceholder(toPlaceholder(pixels)),
    },
    holdIfMore(bytes: number) {
      const neededBytes = image.sizeBytes + bytes;
      if (neededBytes <= lease.bytes) return undefined;
      return growTo(lease, Math.min(MAX_JPEG_BYTES, neededBytes + AHEAD_BYTES));
    },
  };
  const result = await recompressJpeg(tools, file, quality);
  if (result.outcome === "kept") return freeFile(file, result);
  return freeFile(file, { outcome: "compressed", type: "image/jpeg", pieces: result.pieces });
}

async function compressAsWebp({ image, quality, lease, takePlaceholder }: ImageInWork): Promise<Compression> {
  const { width, height } = readWebpHead(await image.readHead());
  const pixels = width * height;
  const memory = webpMemory(pixels, image.sizeBytes, quality);
  const { heldBytes } = memory;
  // The first bytes have the size. If the image is for the Container, it is not loaded here first.
  if (pixels > webpEngine.maxPixels.lossy || heldBytes > isolateMemory.totalBytes) return { outcome: "too-large" };
  lease.shrinkTo(heldBytes);
  await growTo(lease, heldBytes);
  const file = await image.readAll();
  // libwebp cannot pause, so other images get their turns first.
  await new ThreadShare().yieldIfDue(webpBlockingMs(pixels));
  const take = takePlaceholder && ((pixels: Pixels) => takePlaceholder(toPlaceholder(shrink(pixels))));
  return freeFile(file, await compressWebp(webpEngine, file, quality, memory, take));
}

function shrink(pixels: Pixels): Pixels {
  const result = placeholderSize(pixels);
  const thin = thinPixels(pixels, result);
  return resamplePixels(resampler, thin, wholeWindow(thin, result));
}

async function compressByRows({ type, image, lease }: ImageInWork): Promise<Compression> {
  await growTo(lease, 2 * image.sizeBytes + ROWS_BYTES);
  const compress = type === "image/png" ? compressPng : compressGif;
  const file = await image.readAll();
  return freeFile(file, await compress(file, openTools(pngEngine)));
}

/**
 * Frees the file at once, because its share of memory is given to other images now, and a collection may come late.
 * @returns the result, with copies of the file's chunks that stay
 */
function freeFile({ buffer }: Uint8Array<ArrayBuffer>, result: Compression): Compression {
  const own = (piece: Uint8Array) => (piece.buffer === buffer ? piece.slice() : piece);
  const kept = result.outcome === "compressed" ? { ...result, pieces: result.pieces.map(own) } : result;
  buffer.transfer(0);
  return kept;
}

function openTools(engine: WebAssembly.Module): CodecTools {
  const share = new ThreadShare();
  return { engine, yieldIfDue: (stepMs) => share.yieldIfDue(stepMs) };
}
