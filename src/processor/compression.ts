import type { MediaType } from "../domain/media-types.ts";
import type { SourceImage } from "./source-image.ts";

/** Larger images are stored as they were uploaded (DESIGN, "size"). */
export const MAX_COMPRESSIBLE_BYTES = 32 * 1024 * 1024;

export interface ImageToCompress extends SourceImage {
  /** 50 to 100. */
  readonly quality: number;
}

export interface CompressedImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  /** Of exactly `sizeBytes`, fewer than the source has; to be read to its end or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Why an image that was to be compressed stays as it was uploaded, for those who count. */
export type KeptReason = "nothing-to-save" | "animated" | "damaged" | "too-large" | "declined" | "failed";

/** Whether files of this type are compressed at all: every image is, no video ever. */
export function isCompressible(type: MediaType): boolean {
  return type.startsWith("image/");
}
