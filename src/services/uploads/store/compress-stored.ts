import { toLogLine } from "../../../domain/log-line.ts";
import type { CompressedImage, ImageToCompress } from "../../../processor/compression.ts";
import type { UploadRun } from "../upload-run.ts";
import { compress, putCompressed } from "./compress.ts";
import type { StreamedFile } from "./store-stream.ts";
import type { IdentifiedFile, StoredFile } from "./stored-file.ts";

/**
 * Compresses an image that was streamed to R2, from there and back again: none of it is held here. Whatever fails leaves it
 * as uploaded. Only then is it decided whether what is stored fits the account's storage.
 * @throws ServiceError 413, 503; nothing of it is left then. Error if R2 does not say any more which of the two it has
 */
export async function compressStored(
  run: UploadRun,
  { stored, reservation, target }: StreamedFile,
): Promise<StoredFile> {
  if (target === undefined) return stored;
  const { mimeType, sizeBytes } = stored;
  const open = async () => {
    const object = await run.account.files.get(stored.objectKey);
    if (object?.size === sizeBytes) return object.body;
    // A put whose answer got lost may have replaced it.
    await object?.body.cancel();
    throw new Error("The image is not there as it was uploaded");
  };
  const image = { type: mimeType, quality: target.quality, sizeBytes, open };
  const result = await compress(run, image);
  const isReplaced = result !== undefined && (await replace(run, { stored, image, target: target.file }, result));
  const final = isReplaced
    ? { ...stored, ...target.file, sizeBytes: result.sizeBytes, compressionQuality: target.quality }
    : stored;
  try {
    await reservation.fitTo(final.sizeBytes);
  } catch (error) {
    await run.open.undo(stored.uploadId);
    throw error;
  }
  return final;
}

interface Replacement {
  readonly stored: StoredFile;
  /** The stored file as it is compressed. */
  readonly image: ImageToCompress;
  readonly target: IdentifiedFile;
}

/** @returns whether the upload is the result now */
async function replace(
  run: UploadRun,
  { stored, image, target }: Replacement,
  result: CompressedImage,
): Promise<boolean> {
  if (result.type !== target.mimeType) {
    await result.body.cancel();
    return false;
  }
  try {
    await putCompressed(run, target, image, result);
  } catch (error) {
    console.error(toLogLine("image.not-replaced", { uploadId: stored.uploadId }, error));
    return wasReplaced(run, stored, target, result.sizeBytes);
  }
  // Should this fail, the whole upload is undone: the intent knows both keys.
  if (target.objectKey !== stored.objectKey) await run.account.files.delete(stored.objectKey);
  return true;
}

/** After a put whose answer was an error: R2 may have the result all the same. */
async function wasReplaced(
  { account: { files } }: UploadRun,
  stored: StoredFile,
  target: IdentifiedFile,
  sizeBytes: number,
): Promise<boolean> {
  if (target.objectKey !== stored.objectKey) {
    await files.delete(target.objectKey);
    return false;
  }
  const object = await files.head(stored.objectKey);
  if (object === null) throw new Error("The uploaded image is gone");
  return object.size === sizeBytes;
}
