import type { CompressedImage, ImageToCompress } from "../../../processor/compression.ts";
import type { UploadRun } from "../upload-run.ts";

/**
 * Compresses an image. The result is to be read or cancelled.
 * @returns undefined if the original is to be kept, also because compression failed: no upload fails because of it
 */
export async function compress(run: UploadRun, image: ImageToCompress): Promise<CompressedImage | undefined> {
  try {
    const result = await run.compression.compress(image);
    if (result === undefined || result.sizeBytes < image.sizeBytes) return result;
    await result.body.cancel();
  } catch (error) {
    console.error("An image could not be compressed", image.type, image.sizeBytes, error);
  }
  return undefined;
}
