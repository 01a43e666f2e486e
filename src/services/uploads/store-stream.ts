import type { AccountContext } from "../context.ts";
import type { IncomingFile } from "./incoming-file.ts";
import type { PartBuffer } from "./part-buffer.ts";
import type { PartBuffers } from "./part-buffers.ts";
import type { IdentifiedFile, StoredFile } from "./stored-file.ts";
import { StreamReservation } from "./stream-reservation.ts";
import { type SentParts, uploadParts } from "./upload-parts.ts";
import type { UploadTracker } from "./upload-tracker.ts";

/**
 * Streams a file into an R2 multipart upload: memory does not grow with it.
 * @param head its first bytes: a part, or more that was gathered
 * @param headSent is told that the head is in R2, and its memory free
 * @throws ServiceError 413, 429, 503
 */
export async function storeStream(
  account: AccountContext,
  file: IdentifiedFile,
  head: PartBuffer,
  incoming: IncomingFile,
  tracker: UploadTracker,
  buffers: PartBuffers,
  headSent?: () => void,
): Promise<StoredFile> {
  const { uploadId, objectKey } = file;
  const reservation = await StreamReservation.open(account, file, head.length, incoming);
  tracker.began(file);
  const multipart = await account.files.createMultipartUpload(objectKey, {
    httpMetadata: { contentType: file.mimeType },
  });
  try {
    // Not awaited before the first part: were the Worker to die here, R2 itself drops what was never completed.
    const announced = account.meter.renew([], { uploadId, multipartUploadId: multipart.uploadId });
    const sent: SentParts = { multipart, reservation, parts: [], sizeBytes: 0 };
    const [uploaded, told] = await Promise.allSettled([
      uploadParts(sent, head, incoming, buffers, headSent),
      announced,
    ]);
    if (uploaded.status === "rejected") throw uploaded.reason;
    if (told.status === "rejected") throw told.reason;
    const { parts, sizeBytes } = sent;
    await reservation.settle(sizeBytes);
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
