import type { AccountContext } from "../context.ts";
import type { IncomingFile } from "./incoming-file.ts";
import { PART_BYTES, PartBuffer } from "./part-buffer.ts";
import { reserveStorage, storageLimit } from "./reserve-storage.ts";
import type { IdentifiedFile, StoredFile } from "./stored-file.ts";
import type { UploadTracker } from "./upload-tracker.ts";

/**
 * Streams a file into an R2 multipart upload: memory does not grow with it.
 * @param head its first bytes: whole parts
 * @throws ServiceError 413, 429
 */
export async function storeStream(
  account: AccountContext,
  file: IdentifiedFile,
  head: PartBuffer,
  incoming: IncomingFile,
  tracker: UploadTracker,
): Promise<StoredFile> {
  const { uploadId, objectKey } = file;
  const allowedBytes = await reserveStorage(account, file, head.length, head.length + incoming.remainingBytes);
  tracker.began(file);
  const multipart = await account.files.createMultipartUpload(objectKey, {
    httpMetadata: { contentType: file.mimeType },
  });
  try {
    // Not awaited before the first part: were the Worker to die here, R2 itself drops what was never completed.
    const announced = account.meter.renew([], { uploadId, multipartUploadId: multipart.uploadId });
    const [uploaded, told] = await Promise.allSettled([
      uploadParts(account, multipart, head, incoming, allowedBytes),
      announced,
    ]);
    if (uploaded.status === "rejected") throw uploaded.reason;
    if (told.status === "rejected") throw told.reason;
    const { parts, sizeBytes } = uploaded.value;
    // What this file did not need may be what the request's next one does.
    if (sizeBytes < allowedBytes) await account.meter.shrink(uploadId, sizeBytes);
    await multipart.complete(parts);
    return { ...file, sizeBytes, originalSizeBytes: sizeBytes, compressionQuality: null };
  } catch (error) {
    await undo(account, multipart, uploadId, tracker);
    throw error;
  }
}

async function undo(
  { files }: AccountContext,
  multipart: R2MultipartUpload,
  uploadId: string,
  tracker: UploadTracker,
): Promise<void> {
  try {
    await multipart.abort();
    // There is an object where it was completed and only the answer got lost.
    await files.delete(multipart.key);
  } catch (error) {
    console.error("A multipart upload could not be aborted", uploadId, error);
    tracker.abandoned(uploadId);
    return;
  }
  await tracker.undone(uploadId);
}

/** One part is on its way to R2 while the next one fills: two parts are what a file costs in memory. */
async function uploadParts(
  account: AccountContext,
  multipart: R2MultipartUpload,
  head: PartBuffer,
  incoming: IncomingFile,
  allowedBytes: number,
): Promise<{ parts: R2UploadedPart[]; sizeBytes: number }> {
  const parts: R2UploadedPart[] = [];
  let sizeBytes = 0;
  const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
    sizeBytes += bytes.length;
    if (sizeBytes > allowedBytes) throw storageLimit(account);
    parts.push(await multipart.uploadPart(parts.length + 1, bytes));
  };
  let next = head;
  let spare = new PartBuffer(PART_BYTES);
  while (next.length > 0) {
    // An image that turned out to be too large to compress has been gathered for several parts.
    const ready = [...next.parts()];
    for (const bytes of ready.slice(0, -1)) await upload(bytes);
    const [uploaded, following] = await Promise.allSettled([
      upload(ready.at(-1) ?? next.bytes),
      incoming.readPart(spare),
    ]);
    // Both have ended before an error is thrown: a part still under way could outlive the abort.
    if (uploaded.status === "rejected") throw uploaded.reason;
    if (following.status === "rejected") throw following.reason;
    // Two buffers take turns: new ones for each part would pile up until the collector comes.
    spare = next.length > PART_BYTES ? new PartBuffer(PART_BYTES) : next;
    next = following.value;
  }
  return { parts, sizeBytes };
}
