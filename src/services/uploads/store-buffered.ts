import { ServiceError } from "../../domain/errors.ts";
import { compressImage, MAX_COMPRESSIBLE_BYTES } from "../../media/compress.ts";
import type { ProcessedImage } from "../../processor/media-processor.ts";
import type { AccountContext } from "../context.ts";
import { reserveStorage } from "./reserve-storage.ts";
import { type IdentifiedFile, type StoredFile, withType } from "./stored-file.ts";
import type { UploadTracker } from "./upload-tracker.ts";

const SLICE_BYTES = 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** What is to be stored instead of the original. */
interface Replacement extends Pick<ProcessedImage, "type" | "sizeBytes"> {
  readonly body: ProcessedImage["body"] | Bytes;
}

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
  const replacement = quality === null ? undefined : await compress(account, file, original, quality);
  if (replacement !== undefined) {
    const stored = await storeReplacement(account, withType(account, file, replacement.type), replacement, tracker);
    if (stored) return { ...stored, originalSizeBytes: original.length, compressionQuality: quality };
  }
  await put(account, file, original, original.length, tracker);
  return { ...file, sizeBytes: original.length, originalSizeBytes: original.length, compressionQuality: null };
}

async function compress(
  { processor }: AccountContext,
  { mimeType }: IdentifiedFile,
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

/** @returns undefined where its bytes broke off, and nothing of it is left */
async function storeReplacement(
  account: AccountContext,
  file: IdentifiedFile,
  { body, sizeBytes }: Replacement,
  tracker: UploadTracker,
): Promise<Omit<StoredFile, "originalSizeBytes" | "compressionQuality"> | undefined> {
  if (body instanceof Uint8Array) {
    await put(account, file, body, sizeBytes, tracker);
    return { ...file, sizeBytes };
  }
  try {
    await put(account, file, body.pipeThrough(new FixedLengthStream(sizeBytes)), sizeBytes, tracker);
    return { ...file, sizeBytes };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    console.error("A compressed image broke off", error);
    await account.files.delete(file.objectKey);
    await tracker.undone(file.uploadId);
    return undefined;
  }
}

async function put(
  account: AccountContext,
  file: IdentifiedFile,
  body: Bytes | ReadableStream<Uint8Array>,
  sizeBytes: number,
  tracker: UploadTracker,
): Promise<void> {
  await reserveStorage(account, file, sizeBytes, sizeBytes);
  tracker.began(file);
  const sent = body instanceof Uint8Array && body.length > SLICE_BYTES ? streamOf(body) : body;
  await account.files.put(file.objectKey, sent, { httpMetadata: { contentType: file.mimeType } });
}

/** The bytes a slice at a time: R2 would make a copy of them all. */
function streamOf(bytes: Bytes): ReadableStream<Uint8Array> {
  let at = 0;
  const slices = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
      if (at >= bytes.length) controller.close();
    },
  });
  return slices.pipeThrough(new FixedLengthStream(bytes.length));
}
