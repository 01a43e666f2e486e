import { ServiceError } from "../../../domain/errors.ts";
import { retryR2 } from "../../../isolate/retry-bucket.ts";
import type { CompressedImage } from "../../../processor/compression.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { UploadRun } from "../upload-run.ts";
import { compress } from "./compress.ts";
import { withType } from "./identify-file.ts";
import { openPieces, putObject, putStream, toR2Body } from "./put-object.ts";
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
      const stored = await storeCompressed(run, file, part, quality);
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

/**
 * A result is a stream, which is read once: where R2 fails in a way that may pass, the image is compressed anew.
 * @returns undefined if there is no result, or it could not be stored; nothing of it is left then
 */
async function storeCompressed(
  run: UploadRun,
  file: IdentifiedFile,
  part: HeldPart,
  quality: number,
): Promise<(IdentifiedFile & { readonly sizeBytes: number }) | undefined> {
  const open = async () => openPieces(part);
  let isBegun = false;
  try {
    const stored = await retryR2(async () => {
      const result = await compress(run, { type: file.mimeType, quality, sizeBytes: part.length, open });
      if (result === undefined) return undefined;
      const target = withType(run.account.accountId, file, result.type);
      await reserveFor(run, target, result);
      isBegun = true;
      await putStream(run.account, target, result);
      return { ...target, sizeBytes: result.sizeBytes };
    });
    if (stored !== undefined) return stored;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    console.error("A compressed image broke off", error);
  }
  if (isBegun) await run.open.undo(file.uploadId);
  return undefined;
}

async function reserveFor(run: UploadRun, file: IdentifiedFile, result: CompressedImage): Promise<void> {
  try {
    await reserve(run, file, result.sizeBytes);
  } catch (error) {
    await result.body.cancel(error).catch(() => undefined);
    throw error;
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
