import type { MediaType } from "../domain/media-types.ts";
import type { GrowingLease } from "../isolate/memory-budget.ts";
import { ThreadShare } from "../isolate/yield-thread.ts";
import type { CodecTools } from "../media/codec-tools.ts";
import type { Compression } from "../media/compression.ts";
import { compressGif } from "../media/gif/compress-gif.ts";
import jpegEngine from "../media/jpeg/engine/jpeg-engine.wasm";
import { MAX_JPEG_BYTES, recompressJpeg } from "../media/jpeg/recompress-jpeg.ts";
import { compressPng } from "../media/png/compress-png.ts";
import pngEngine from "../media/png/engine/png-engine.wasm";
import { compressWebp } from "../media/webp/compress-webp.ts";
import { readWebpHead } from "../media/webp/read-webp-head.ts";
import type { IncomingImage } from "./incoming-image.ts";
import { growTo, LEAST_BYTES } from "./isolate-memory.ts";
import { webpEngine } from "./webp-engine.ts";

const MIB = 1024 * 1024;
/** What PNG and GIF take beside the file and its result, whatever the dimensions. */
const ROWS_BYTES = 24 * MIB;
/** What libwebp takes for a pixel to decode and encode it, at most. */
const WEBP_PIXEL_BYTES = 24;
/** A WebP of so few pixels is much smaller; libwebp would have it in its memory as well. */
const MAX_WEBP_BYTES = 8 * MIB;
/** What an engine asks for ahead, so that it need not ask for each row. */
const AHEAD_BYTES = 2 * MIB;

export interface ImageInWork {
  readonly type: MediaType;
  /** 50 to 100. */
  readonly quality: number;
  readonly image: IncomingImage;
  /** The image's share of the isolate's memory: it holds nothing yet, and may grow to `maxHeldBytes`. */
  readonly lease: GrowingLease;
}

/** The most that an image of this type and size may come to hold: the file, engines and the result. */
export function maxHeldBytes(type: MediaType, sizeBytes: number): number {
  switch (type) {
    case "image/jpeg":
      return Math.max(LEAST_BYTES, MAX_JPEG_BYTES);
    case "image/webp":
      return LEAST_BYTES + 3 * sizeBytes + WEBP_PIXEL_BYTES * webpEngine.maxPixels.lossy;
    default:
      return 2 * sizeBytes + ROWS_BYTES;
  }
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
 * Animated and damaged images stay as they are, and JPEGs with an HDR gain map.
 * @throws CodecsBusy where there is no memory in time
 * @throws Error where a codec or the image's stream fails, which is no fault of the file
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

async function compressAsJpeg({ image, quality, lease }: ImageInWork): Promise<Compression> {
  await growTo(lease, Math.max(LEAST_BYTES, image.sizeBytes));
  const file = await image.readAll();
  const tools = {
    ...openTools(jpegEngine),
    holdIfMore(bytes: number) {
      const neededBytes = image.sizeBytes + bytes;
      if (neededBytes <= lease.bytes) return undefined;
      return growTo(lease, Math.min(MAX_JPEG_BYTES, neededBytes + AHEAD_BYTES));
    },
  };
  const result = await recompressJpeg(tools, file, quality);
  if (result.outcome === "kept") return result;
  return { outcome: "compressed", type: "image/jpeg", pieces: result.pieces };
}

async function compressAsWebp({ image, quality, lease }: ImageInWork): Promise<Compression> {
  const { width, height } = readWebpHead(await image.readHead());
  const pixels = width * height;
  // Known from the first bytes, so that what goes to the Container does not come here first.
  if (pixels > webpEngine.maxPixels.lossy || image.sizeBytes > MAX_WEBP_BYTES) return { outcome: "too-large" };
  await growTo(lease, LEAST_BYTES + 3 * image.sizeBytes + WEBP_PIXEL_BYTES * pixels);
  return compressWebp(webpEngine, await image.readAll(), quality);
}

async function compressByRows({ type, image, lease }: ImageInWork): Promise<Compression> {
  await growTo(lease, 2 * image.sizeBytes + ROWS_BYTES);
  const compress = type === "image/png" ? compressPng : compressGif;
  return compress(await image.readAll(), openTools(pngEngine));
}

function openTools(engine: WebAssembly.Module): CodecTools {
  const share = new ThreadShare();
  return { engine, yieldIfDue: (stepMs) => share.yieldIfDue(stepMs) };
}
