import type { GrowingLease } from "../../isolate/memory-budget.ts";
import { ThreadShare } from "../../isolate/yield-thread.ts";
import { JpegDeclined } from "../../media/jpeg/jpeg-declined.ts";
import { decodeJpeg } from "../../media/jpeg/jsquash-jpeg.ts";
import { parseJpegStart } from "../../media/jpeg/parse-jpeg.ts";
import { readPreviewHead } from "../../media/jpeg/preview-head.ts";
import { type BlockSide, blockSideOf, PREVIEW_LIMITS, previewJpeg } from "../../media/jpeg/preview-jpeg.ts";
import { readJpegHead } from "../../media/jpeg/read-jpeg-head.ts";
import { shrink } from "../../media/preview/shrink.ts";
import { upright } from "../../media/preview/upright.ts";
import type { Pixels } from "../../media/webp/webp-engine.ts";
import { growTo } from "../isolate-memory.ts";
import { PREVIEW_ENGINES } from "./preview-engines.ts";
import {
  decodingBytes,
  firstBytes,
  isDecodedAtOnce,
  MAX_PREVIEW_FILE_BYTES,
  PREVIEW_BYTES,
  type Preview,
  type PreviewInWork,
} from "./preview-work.ts";

/**
 * A photo's preview is made of its DC coefficients alone, where that is large enough. Those of a progressive file are its first fifth or
 * so, and it is read to there in small steps; of a sequential file they are everywhere.
 */
export async function previewJpegFile({ file, lease }: PreviewInWork): Promise<Preview> {
  const { sizeBytes } = file;
  for (let end = firstBytes(sizeBytes); ; ) {
    // The beginning of the largest file is enough, if it is progressive.
    if (end > MAX_PREVIEW_FILE_BYTES) return { outcome: "too-large" };
    await growTo(lease, PREVIEW_BYTES + end);
    const bytes = await file.readTo(end);
    const isWhole = bytes.length === sizeBytes;
    const { isProgressive, orientation } = readPreviewHead(bytes);
    const { width, height } = readJpegHead(bytes);
    const side = width > 0 && height > 0 ? blockSideOf({ width, height }) : undefined;
    if (isWhole && side === undefined) return { outcome: "impossible", reason: "Damaged" };
    if (side !== undefined && (isWhole || (side === 1 && isProgressive))) {
      const pixels = await decode(bytes, { isWhole, side, pixels: width * height, lease });
      if (pixels === "declined" && isWhole) return { outcome: "too-large" };
      if (pixels === "declined") end = sizeBytes;
      else if (pixels !== undefined) return { outcome: "pixels", pixels: upright(pixels, orientation) };
    }
    const isEnoughInSight = end < sizeBytes / 2 && (side === undefined || (side === 1 && isProgressive !== false));
    end = isEnoughInSight ? end + Math.ceil(sizeBytes / 16) : sizeBytes;
  }
}

interface Decoding {
  readonly isWhole: boolean;
  readonly side: BlockSide;
  readonly pixels: number;
  readonly lease: GrowingLease;
}

/** @returns undefined where more of the file is needed */
async function decode(bytes: Uint8Array<ArrayBuffer>, decoding: Decoding): Promise<Pixels | "declined" | undefined> {
  const { isWhole, side } = decoding;
  if (side === 8) return (await decodeWhole(bytes, decoding)) ?? (await decodePart(bytes, decoding));
  const pixels = await decodePart(bytes, decoding);
  return pixels === "declined" && isWhole ? ((await decodeWhole(bytes, decoding)) ?? pixels) : pixels;
}

async function decodePart(
  bytes: Uint8Array<ArrayBuffer>,
  { isWhole, side, lease }: Decoding,
): Promise<Pixels | "declined" | undefined> {
  try {
    const wanted = side === 1 ? "dc" : "all";
    const file = parseJpegStart(bytes, PREVIEW_LIMITS, { isWhole, wanted });
    return file && (await previewJpeg(openTools(lease, bytes.length), bytes, file, side));
  } catch (error) {
    if (error instanceof JpegDeclined) return "declined";
    throw error;
  }
}

/** @returns undefined where it has too many pixels, or libjpeg gives up */
async function decodeWhole(bytes: Uint8Array<ArrayBuffer>, { pixels, lease }: Decoding): Promise<Pixels | undefined> {
  if (!isDecodedAtOnce(pixels, bytes.length)) return undefined;
  await growTo(lease, PREVIEW_BYTES + bytes.length + decodingBytes(pixels, bytes.length));
  const decoded = await decodeJpeg(PREVIEW_ENGINES.jpegDecoder, bytes);
  return decoded && shrink(PREVIEW_ENGINES.scaler, decoded);
}

function openTools(lease: GrowingLease, fileBytes: number) {
  const share = new ThreadShare();
  const { jpegEngine: engine, scaler } = PREVIEW_ENGINES;
  return {
    ...{ engine, scaler },
    yieldIfDue: (stepMs: number) => share.yieldIfDue(stepMs),
    holdIfMore(engineBytes: number) {
      const neededBytes = PREVIEW_BYTES + fileBytes + engineBytes;
      return neededBytes <= lease.bytes ? undefined : growTo(lease, neededBytes);
    },
  };
}
