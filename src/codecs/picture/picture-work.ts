import type { MediaType } from "../../domain/media-types.ts";
import type { GrowingLease } from "../../isolate/memory-budget.ts";
import type { Plane } from "../../media/resample/upright.ts";
import type { ChooseWindow } from "../../media/resample/window.ts";
import type { Pixels } from "../../media/webp/webp-engine.ts";
import { isolateMemory } from "../isolate-memory.ts";
import { decodingMemory, MAX_PIXELS } from "../webp-memory.ts";
import type { SourceFile } from "./source-file.ts";

const MIB = 1024 * 1024;
/** The largest file. The media processor takes larger ones, unless their beginning is enough. */
export const MAX_FILE_BYTES = 32 * MIB;
/** The limit for a JPEG engine and for a picture that is decoded at once. */
const MAX_ENGINE_BYTES = 32 * MIB;
/** More pixels decoded at once would keep the thread too long. */
const MAX_DECODED_PIXELS = 1_100_000;
/**
 * A decoder of whole files copies the file, and there is no memory for a copy of a larger file. Pictures within the pixel limit are
 * smaller.
 */
const MAX_DECODED_FILE_BYTES = 8 * MIB;
/** Memory for each decoded pixel, in the decoder and in the result. */
const DECODED_PIXEL_BYTES = 16;

/** A stored image that is made into a smaller picture. */
export interface PictureWork {
  readonly type: MediaType;
  readonly file: SourceFile;
  /** The work's share of the isolate's memory. It starts empty and may grow to `maxPictureBytes`. */
  readonly lease: GrowingLease;
  /** Memory besides the file and its engine: rows, the result's pixels and their encoder. */
  readonly workBytes: number;
  /** The orientation by which the upright picture is turned further, 1 to 8. */
  readonly turn?: number;
  /** Chooses the window of the upright picture. */
  readonly choose: ChooseWindow;
  /** Whether the result is a JPEG, for which the planes of a photo need not become pixels. */
  readonly takesPlanes?: boolean;
  /** Whether the result is a small blurred picture of the whole, for which some of the pixels are enough. */
  readonly isRough?: boolean;
}

/** `pixels`: an upright picture to encode. `too-large`: for the media processor. `impossible`: no viewer can show the image. */
export type Picture =
  | { readonly outcome: "pixels"; readonly pixels: Pixels; readonly profile: Uint8Array | undefined }
  /** A gray plane, or planes of Y, Cb and Cr; Cb and Cr have half the width and height. */
  | {
      readonly outcome: "planes";
      readonly planes: readonly Plane<Uint8Array>[];
      readonly profile: Uint8Array | undefined;
    }
  | { readonly outcome: "too-large" }
  | { readonly outcome: "impossible"; readonly reason: string };

/** Whether a picture is decoded at once instead of in parts. */
export function isDecodedAtOnce(pixels: number, fileBytes: number): boolean {
  return pixels <= MAX_DECODED_PIXELS && fileBytes <= MAX_DECODED_FILE_BYTES;
}

/** Memory for decoding at once, besides the file: the decoder's copy of the file and the pixels. */
export function decodingBytes(pixels: number, fileBytes: number): number {
  return fileBytes + DECODED_PIXEL_BYTES * pixels;
}

/** The most memory that the work takes. */
export function maxPictureBytes(type: MediaType, sizeBytes: number, workBytes: number): number {
  const engineBytes =
    type === "image/webp" ? decodingMemory(MAX_PIXELS.lossy, sizeBytes, false).heldBytes : MAX_ENGINE_BYTES;
  return Math.min(isolateMemory.totalBytes, workBytes + Math.min(sizeBytes, MAX_FILE_BYTES) + engineBytes);
}

/** The bytes that are enough to identify most files. */
const HEAD_BYTES = 64 * 1024;

/** The bytes that are read before it is known which parts are needed. */
export function firstBytes(sizeBytes: number): number {
  return Math.min(sizeBytes, Math.max(HEAD_BYTES, Math.ceil(sizeBytes / 4)));
}
