import { compressImage, MAX_COMPRESSIBLE_BYTES } from "../../media/compress.ts";
import type { MediaType } from "../../media/sniff.ts";
import type { ProcessedImage } from "../../processor/media-processor.ts";
import type { AccountContext } from "../context.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What is to be stored instead of the original. A stream is to be cancelled where it is not wanted. */
export interface Replacement extends Pick<ProcessedImage, "type" | "sizeBytes"> {
  readonly body: ProcessedImage["body"] | Bytes;
}

/**
 * Compresses an image, here or in the media processor.
 * @returns undefined where the original is to be kept, also because compression failed: no upload fails for its sake
 */
export async function compressOriginal(
  { processor }: AccountContext,
  mimeType: MediaType,
  original: Bytes,
  quality: number,
): Promise<Replacement | undefined> {
  if (original.length > MAX_COMPRESSIBLE_BYTES) return undefined;
  try {
    const compression = await compressImage(mimeType, original, quality);
    switch (compression.outcome) {
      case "compressed":
        return { type: compression.type, sizeBytes: compression.bytes.length, body: compression.bytes };
      case "kept":
        return undefined;
      case "too-large":
        return await processor.compress(mimeType, quality, original);
    }
  } catch (error) {
    console.error("An image could not be compressed", mimeType, original.length, error);
    return undefined;
  }
}
