import { toLogLine } from "../../../domain/log-line.ts";
import { isVideo } from "../../../domain/media-types.ts";
import type { StoredPlaceholder } from "../../../domain/placeholder.ts";
import type { SourceImage } from "../../../processor/source-image.ts";
import type { UploadRun } from "../upload-run.ts";
import type { IdentifiedFile } from "./identify-file.ts";

/** A JPEG's time follows its bytes, because only its coded data is read. Other images' time follows their pixels. */
const QUICK_JPEG_BYTES = 96 * 1024;
const QUICK_PIXELS = 40_000;

/** Whether an image's placeholder takes a few milliseconds. The queue's consumer makes those of other images. */
export function isQuick({ mimeType, width, height }: IdentifiedFile, sizeBytes: number): boolean {
  if (isVideo(mimeType)) return false;
  return mimeType === "image/jpeg" ? sizeBytes <= QUICK_JPEG_BYTES : width * height <= QUICK_PIXELS;
}

/**
 * Makes the placeholder of an image that is being uploaded. No upload fails because of it.
 * @returns undefined if it could not be made now
 */
export async function quickPlaceholder(run: UploadRun, image: SourceImage): Promise<StoredPlaceholder | undefined> {
  try {
    const answer = await run.compression.placeholder(image);
    if (answer.outcome === "made") return answer.placeholder;
    // A small image that is too much for the Codec Worker is damaged or rare.
    return answer.outcome === "busy" ? undefined : "none";
  } catch (error) {
    const { type, sizeBytes } = image;
    console.error(toLogLine("placeholder.not-made", { accountId: run.account.accountId, type, sizeBytes }, error));
    return undefined;
  }
}
