import type { MediaType } from "../../domain/media-types.ts";
import type { GrowingLease } from "../../isolate/memory-budget.ts";
import type { Pixels } from "../../media/webp/webp-engine.ts";
import type { SourceFile } from "./source-file.ts";

const MIB = 1024 * 1024;
/** What is held beside the file: engines, rows, the preview's pixels and their encoder. */
export const PREVIEW_BYTES = 10 * MIB;
/** A larger file is the media processor's, unless its beginning is enough. */
export const MAX_PREVIEW_FILE_BYTES = 32 * MIB;
/** What the engine of a JPEG may take, or a picture that is decoded at once. */
const MAX_ENGINE_BYTES = 32 * MIB;
/** Decoded at once, a picture of more pixels would keep the thread for too long. */
const MAX_DECODED_PIXELS = 1_100_000;
/** Of a larger file, a decoder that wants all of it has no room for a copy of its own; so few pixels take fewer bytes. */
const MAX_DECODED_FILE_BYTES = 8 * MIB;
/** What decoding takes of memory, a pixel: the decoder's own, and what is handed over. */
const DECODED_PIXEL_BYTES = 16;

export interface PreviewInWork {
  readonly type: MediaType;
  readonly file: SourceFile;
  /** The preview's share of the isolate's memory: it holds nothing yet, and may grow to `maxPreviewBytes`. */
  readonly lease: GrowingLease;
}

/** A picture to be encoded, upright; `too-large` is for the media processor; a text says why nobody can show it. */
export type Preview =
  | { readonly outcome: "pixels"; readonly pixels: Pixels }
  | { readonly outcome: "too-large" }
  | { readonly outcome: "impossible"; readonly reason: string };

/** Whether a picture is decoded at once, and not in parts. */
export function isDecodedAtOnce(pixels: number, fileBytes: number): boolean {
  return pixels <= MAX_DECODED_PIXELS && fileBytes <= MAX_DECODED_FILE_BYTES;
}

/** What that takes of memory, beside the file: the decoder's copy of it, and the pixels. */
export function decodingBytes(pixels: number, fileBytes: number): number {
  return fileBytes + DECODED_PIXEL_BYTES * pixels;
}

/** The most that a preview may come to hold while it is made. */
export function maxPreviewBytes(sizeBytes: number): number {
  return PREVIEW_BYTES + Math.min(sizeBytes, MAX_PREVIEW_FILE_BYTES) + MAX_ENGINE_BYTES;
}

/** There is enough of most files in it to know what they are. */
const HEAD_BYTES = 64 * 1024;

/** What is read of a file before it is known what of it is needed. */
export function firstBytes(sizeBytes: number): number {
  return Math.min(sizeBytes, Math.max(HEAD_BYTES, Math.ceil(sizeBytes / 4)));
}
