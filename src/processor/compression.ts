import type { MediaType } from "../domain/media-types.ts";
import type { Placeholder } from "../domain/placeholder.ts";
import type { SourceImage } from "./source-image.ts";

/** COMP-6: larger images are stored as uploaded. */
export const MAX_COMPRESSIBLE_BYTES = 32 * 1024 * 1024;

export interface ImageToCompress extends SourceImage {
  readonly quality: number;
  /** Whether the placeholder is wanted, too, if the compression reads the picture anyhow. */
  readonly wantsPlaceholder?: boolean;
}

export interface CompressedImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  readonly placeholder?: Placeholder;
  /** Exactly `sizeBytes` long, less than the source. The caller reads it to its end or cancels it. */
  readonly body: ReadableStream<Uint8Array>;
}

/** The reason why an image stays as uploaded, for metrics. */
export type KeptReason = "nothing-to-save" | "animated" | "damaged" | "too-large" | "declined" | "failed";

/** Whether files of this type are compressed: all images, no videos. */
export function isCompressible(type: MediaType): boolean {
  return type.startsWith("image/");
}
