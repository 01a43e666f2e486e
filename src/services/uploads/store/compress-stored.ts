import { retryR2 } from "../../../isolate/retry-bucket.ts";
import type { CompressedImage } from "../../../processor/compression.ts";
import type { UploadRun } from "../upload-run.ts";
import { compress } from "./compress.ts";
import { putStream } from "./put-object.ts";
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
    if (object === null) throw new Error("The image is gone");
    return object.body;
  };
  const image = { type: mimeType, quality: target.quality, sizeBytes, open };
  let result: CompressedImage | undefined;
  const isReplaced = await retryR2(async () => {
    // After a put whose answer was an error. The result is a stream, which is read once: the image is compressed anew.
    if (result !== undefined && (await wasReplaced(run, stored, target.file, result.sizeBytes))) return true;
    result = await compress(run, image);
    return result !== undefined && (await replace(run, target.file, result));
  }).catch((error: unknown) => {
    console.error("A compressed image could not replace the uploaded one", error);
    return result !== undefined && wasReplaced(run, stored, target.file, result.sizeBytes);
  });
  if (isReplaced && target.file.objectKey !== stored.objectKey) {
    // Should this fail, the whole upload is undone: the intent knows both keys.
    await run.account.files.delete(stored.objectKey);
  }
  const final =
    isReplaced && result !== undefined
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

/** @returns false where the result is of another type than was agreed */
async function replace(run: UploadRun, target: IdentifiedFile, result: CompressedImage): Promise<boolean> {
  if (result.type === target.mimeType) {
    await putStream(run.account, target, result);
    return true;
  }
  await result.body.cancel();
  return false;
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
