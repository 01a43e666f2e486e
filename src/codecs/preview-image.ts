import type { GrowingLease } from "../isolate/memory-budget.ts";
import { ThreadShare } from "../isolate/yield-thread.ts";
import { readGifBlocks } from "../media/gif/gif-blocks.ts";
import { gifSourceOf } from "../media/gif/gif-source.ts";
import { decodePng } from "../media/png/jsquash-png.ts";
import { readPngFile } from "../media/png/png-file.ts";
import { readPngOrientation } from "../media/png/png-orientation.ts";
import { sourceOf } from "../media/png/png-source.ts";
import { previewRows } from "../media/png/preview-rows.ts";
import { readPngHead } from "../media/png/read-png-head.ts";
import { shrink } from "../media/preview/shrink.ts";
import { upright } from "../media/preview/upright.ts";
import { readWebpHead } from "../media/webp/read-webp-head.ts";
import { stillOf } from "../media/webp/still-webp.ts";
import type { Pixels } from "../media/webp/webp-engine.ts";
import { growTo } from "./isolate-memory.ts";
import { PREVIEW_ENGINES } from "./preview-engines.ts";
import { previewJpegFile } from "./preview-jpeg-file.ts";
import {
  DECODED_PIXEL_BYTES,
  firstBytes,
  MAX_DECODED_PIXELS,
  MAX_PREVIEW_FILE_BYTES,
  PREVIEW_BYTES,
  type Preview,
  type PreviewInWork,
} from "./preview-work.ts";
import type { SourceFile } from "./source-file.ts";
import { webpEngine } from "./webp-engine.ts";

/** Rows are read one after the other; of so many, for a second or two. */
const MAX_ROW_PIXELS = 100_000_000;

const TOO_LARGE: Preview = { outcome: "too-large" };

/**
 * Makes a preview's pixels (dashboard, section 5): no more of the file is read, and no more of it decoded, than they need.
 * @throws CodecsBusy where there is no memory in time
 * @throws Error where the file cannot be read or an engine fails, which is no fault of the file
 */
export async function previewImage(work: PreviewInWork): Promise<Preview> {
  switch (work.type) {
    case "image/jpeg":
      return previewJpegFile(work);
    case "image/png":
      return previewPng(work);
    case "image/gif":
      return previewGif(work);
    case "image/webp":
      return previewWebp(work);
    default:
      return { outcome: "impossible", reason: "Not an image" };
  }
}

async function previewPng({ file, lease }: PreviewInWork): Promise<Preview> {
  const bytes = await readAll(file, lease);
  if (bytes === undefined) return TOO_LARGE;
  const { width, height, shows } = readPngHead(bytes);
  if (shows !== true) return { outcome: "impossible", reason: "Damaged" };
  const orientation = readPngOrientation(bytes);
  if (width * height <= MAX_DECODED_PIXELS) {
    await growTo(lease, lease.bytes + DECODED_PIXEL_BYTES * width * height);
    const pixels = decodePng(PREVIEW_ENGINES.pngDecoder, bytes);
    if (pixels !== undefined) return made(shrink(PREVIEW_ENGINES.scaler, pixels), orientation);
  }
  if (width * height > MAX_ROW_PIXELS) return TOO_LARGE;
  const png = readPngFile(bytes, { takesAnimated: true });
  if (typeof png === "string") return TOO_LARGE;
  return made(await previewRows(openRowTools(), sourceOf(png)), orientation);
}

async function previewGif({ file, lease }: PreviewInWork): Promise<Preview> {
  await growTo(lease, PREVIEW_BYTES + firstBytes(file.sizeBytes));
  let bytes: Uint8Array<ArrayBuffer> | undefined = await file.readTo(firstBytes(file.sizeBytes));
  // A frame is all there where another one follows.
  if (readGifBlocks(bytes, 2).frames.length < 2) bytes = await readAll(file, lease);
  if (bytes === undefined) return TOO_LARGE;
  const [frame] = readGifBlocks(bytes, 1).frames;
  if (frame === undefined) return { outcome: "impossible", reason: "Damaged" };
  const source = gifSourceOf(bytes, frame);
  if (source.width * source.height > MAX_ROW_PIXELS) return TOO_LARGE;
  // No row is too long: what cannot be read is damaged.
  const pixels = await previewRows(openRowTools(), source);
  return pixels === undefined ? { outcome: "impossible", reason: "Damaged" } : made(pixels, 1);
}

async function previewWebp({ file, lease }: PreviewInWork): Promise<Preview> {
  await growTo(lease, PREVIEW_BYTES + firstBytes(file.sizeBytes));
  const first = await file.readTo(firstBytes(file.sizeBytes));
  const { width, height } = readWebpHead(first);
  // Its canvas is told by the first bytes.
  if (width === 0) return { outcome: "impossible", reason: "Damaged" };
  if (width * height > MAX_DECODED_PIXELS) return TOO_LARGE;
  const bytes = stillOf(first)?.isWhole === true ? first : await readAll(file, lease);
  if (bytes === undefined) return TOO_LARGE;
  const still = stillOf(bytes);
  if (still === undefined) return { outcome: "impossible", reason: "Damaged" };
  await growTo(lease, lease.bytes + still.file.length + DECODED_PIXEL_BYTES * width * height);
  const picture = await webpEngine.decode(still.file).catch(() => undefined);
  if (picture === undefined) return { outcome: "impossible", reason: "Damaged" };
  return made(shrink(PREVIEW_ENGINES.scaler, onCanvas(picture, still, { width, height })), 1);
}

/** All of a file; undefined where it is too large to be held. */
async function readAll(file: SourceFile, lease: GrowingLease): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.sizeBytes > MAX_PREVIEW_FILE_BYTES) return undefined;
  await growTo(lease, PREVIEW_BYTES + file.sizeBytes);
  return file.readTo(file.sizeBytes);
}

function made(pixels: Pixels | undefined, orientation: number): Preview {
  if (pixels === undefined) return TOO_LARGE;
  return { outcome: "pixels", pixels: upright(pixels, orientation) };
}

/** A frame need not cover its canvas; the rest of it is clear. */
function onCanvas(
  picture: Pixels,
  { left, top }: { readonly left: number; readonly top: number },
  { width, height }: { readonly width: number; readonly height: number },
): Pixels {
  if (picture.width === width && picture.height === height) return picture;
  const data = new Uint8Array(4 * width * height);
  const columns = Math.min(picture.width, width - left);
  for (let y = 0; y < Math.min(picture.height, height - top); y++) {
    const from = 4 * y * picture.width;
    data.set(picture.data.subarray(from, from + 4 * columns), 4 * ((top + y) * width + left));
  }
  return { data, width, height };
}

function openRowTools() {
  const share = new ThreadShare();
  const { pngEngine: engine, scaler } = PREVIEW_ENGINES;
  return { engine, scaler, yieldIfDue: (stepMs: number) => share.yieldIfDue(stepMs) };
}
