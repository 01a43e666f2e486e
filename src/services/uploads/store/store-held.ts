import { toLogLine } from "../../../domain/log-line.ts";
import { retryR2 } from "../../../isolate/retry-bucket.ts";
import type { CompressedImage, ImageToCompress } from "../../../processor/compression.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { UploadRun } from "../upload-run.ts";
import { compress, putCompressed } from "./compress.ts";
import { withType } from "./identify-file.ts";
import { openPieces, putObject, toR2Body } from "./put-object.ts";
import { requireRoom, reserveStorage } from "./reserve-storage.ts";
import type { IdentifiedFile, StoredFile } from "./stored-file.ts";

/**
 * Stores a file that is held as a whole, compressed if a quality is given and that gains anything. Compression comes first,
 * so that what is reserved is what will be stored. The part is released at the end, whatever happens.
 * @throws ServiceError 413, 429
 */
export async function storeHeld(
  run: UploadRun,
  file: IdentifiedFile,
  part: HeldPart,
  quality: number | null,
): Promise<StoredFile> {
  let wasStored = false;
  try {
    const original = { sizeBytes: part.length, originalSizeBytes: part.length, compressionQuality: null };
    if (quality !== null) {
      await requireRoom(run.account);
      const open = async () => openPieces([part]);
      const image = { type: file.mimeType, quality, sizeBytes: part.length, open };
      const result = await compress(run, image);
      const stored = result && (await storeResult(run, file, image, result));
      if (stored !== undefined) return { ...original, ...stored, compressionQuality: quality };
    }
    await reserve(run, file, part.length);
    await retryR2(() => putObject(run.account, file, toR2Body(part)));
    wasStored = true;
    return { ...file, ...original };
  } finally {
    part.release({ wasStored });
  }
}

/** @returns undefined if its bytes broke off, and nothing of it is left */
async function storeResult(
  run: UploadRun,
  original: IdentifiedFile,
  image: ImageToCompress,
  result: CompressedImage,
): Promise<(IdentifiedFile & { readonly sizeBytes: number }) | undefined> {
  const file = withType(run.account.accountId, original, result.type);
  try {
    await reserve(run, file, result.sizeBytes);
  } catch (error) {
    await result.body.cancel(error).catch(() => undefined);
    throw error;
  }
  try {
    await putCompressed(run, file, image, result);
    return { ...file, sizeBytes: result.sizeBytes };
  } catch (error) {
    console.error(toLogLine("image.broke-off", { uploadId: file.uploadId }, error));
    await run.open.undo(file.uploadId);
    return undefined;
  }
}

async function reserve(run: UploadRun, file: IdentifiedFile, sizeBytes: number): Promise<void> {
  const objectKeys = [file.objectKey];
  await reserveStorage(
    run.account,
    { uploadId: file.uploadId, objectKeys },
    { leastBytes: sizeBytes, mostBytes: sizeBytes },
  );
  run.open.began({ uploadId: file.uploadId, objectKeys });
}
