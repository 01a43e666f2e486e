import { previewGifFile } from "./preview-gif-file.ts";
import { previewJpegFile } from "./preview-jpeg-file.ts";
import { previewPngFile } from "./preview-png-file.ts";
import { previewWebpFile } from "./preview-webp-file.ts";
import type { Preview, PreviewInWork } from "./preview-work.ts";

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
      return previewPngFile(work);
    case "image/gif":
      return previewGifFile(work);
    case "image/webp":
      return previewWebpFile(work);
    default:
      return { outcome: "impossible", reason: "Not an image" };
  }
}
