import type { AccountContext } from "../context.ts";
import { compressOriginal, type Replacement } from "./compress-original.ts";
import { putObject } from "./put-object.ts";
import { requireRoom, reserveStorage } from "./reserve-storage.ts";
import { type IdentifiedFile, type StoredFile, withType } from "./stored-file.ts";
import type { UploadTracker } from "./upload-tracker.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Stores a file that is in memory as a whole, compressed where that is wanted and gains anything. Compression comes first, so
 * that what is set aside is what will be stored. An upload never fails for its sake.
 * @param quality null where the file is to be stored as it is
 * @throws ServiceError 413, 429
 */
export async function storeBuffered(
  account: AccountContext,
  file: IdentifiedFile,
  original: Bytes,
  quality: number | null,
  tracker: UploadTracker,
): Promise<StoredFile> {
  if (quality !== null) {
    await requireRoom(account);
    const replacement = await compressOriginal(account, file.mimeType, original, quality);
    if (replacement !== undefined) {
      const stored = await storeReplacement(account, withType(account, file, replacement.type), replacement, tracker);
      if (stored) return { ...stored, originalSizeBytes: original.length, compressionQuality: quality };
    }
  }
  await reserve(account, file, original.length, tracker);
  await putObject(account, file, original, original.length);
  return { ...file, sizeBytes: original.length, originalSizeBytes: original.length, compressionQuality: null };
}

/** @returns undefined where its bytes broke off, and nothing of it is left */
async function storeReplacement(
  account: AccountContext,
  file: IdentifiedFile,
  { body, sizeBytes }: Replacement,
  tracker: UploadTracker,
): Promise<Omit<StoredFile, "originalSizeBytes" | "compressionQuality"> | undefined> {
  try {
    await reserve(account, file, sizeBytes, tracker);
  } catch (error) {
    if (!(body instanceof Uint8Array)) await body.cancel(error).catch(() => undefined);
    throw error;
  }
  try {
    await putObject(account, file, body, sizeBytes);
    return { ...file, sizeBytes };
  } catch (error) {
    if (body instanceof Uint8Array) throw error;
    console.error("A compressed image broke off", error);
    await account.files.delete(file.objectKey);
    await tracker.undone(file.uploadId);
    return undefined;
  }
}

async function reserve(
  account: AccountContext,
  file: IdentifiedFile,
  sizeBytes: number,
  tracker: UploadTracker,
): Promise<void> {
  await reserveStorage(account, file, sizeBytes, sizeBytes);
  tracker.began(file);
}
