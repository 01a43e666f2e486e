import { toLogLine } from "../../../domain/log-line.ts";
import { retryR2 } from "../../../isolate/retry-bucket.ts";
import type { CompressedImage, ImageToCompress, KeptReason } from "../../../processor/compression.ts";
import { count } from "../../metrics/counts.ts";
import type { UploadRun } from "../upload-run.ts";
import { putStream } from "./put-object.ts";
import type { IdentifiedFile } from "./stored-file.ts";

/**
 * Compresses an image. The result is to be read or cancelled.
 * @returns undefined if the original is to be kept, also because compression failed: no upload fails because of it
 */
export async function compress(run: UploadRun, image: ImageToCompress): Promise<CompressedImage | undefined> {
  try {
    const result = await run.compression.compress(image);
    if (result === undefined || result.sizeBytes < image.sizeBytes) return result;
    await result.body.cancel();
    count("media_images_kept_total", { reason: "nothing-to-save" satisfies KeptReason });
  } catch (error) {
    const { type, sizeBytes } = image;
    console.error(toLogLine("image.not-compressed", { accountId: run.account.accountId, type, sizeBytes }, error));
    count("media_images_kept_total", { reason: "failed" satisfies KeptReason });
  }
  return undefined;
}

/**
 * Puts the result of a compression into R2. A result can be read only once: where R2 fails in a way that may pass, the image is
 * compressed once more, which gives the same bytes.
 * @throws Error if R2 fails, or the image cannot be compressed once more
 */
export async function putCompressed(
  run: UploadRun,
  file: IdentifiedFile,
  image: ImageToCompress,
  result: CompressedImage,
): Promise<void> {
  let unread: CompressedImage | undefined = result;
  await retryR2(async () => {
    const next = unread ?? (await compressAgain(run, image, result));
    unread = undefined;
    await putStream(run.account, file, next);
  });
}

async function compressAgain(run: UploadRun, image: ImageToCompress, first: CompressedImage): Promise<CompressedImage> {
  const again = await compress(run, image);
  if (again !== undefined && again.sizeBytes === first.sizeBytes && again.type === first.type) return again;
  await again?.body.cancel();
  throw new Error("The image could not be compressed once more");
}
