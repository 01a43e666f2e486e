import type { AccountContext } from "../context.ts";
import type { IncomingFile } from "./incoming-file.ts";
import { PART_BYTES, PartBuffer } from "./part-buffer.ts";
import { reserveStorage, storageLimit } from "./reserve-storage.ts";
import { type IdentifiedFile, identifyFile, type StoredFile } from "./stored-file.ts";

/** What must be told of an upload under way, so that it can be kept alive and undone. */
export interface UploadTracker {
  /** From here on the upload is announced, and something of it may be in R2. */
  began(file: { readonly uploadId: string; readonly objectKey: string }): void;
  /** Nothing of it is left in R2: its reservation is freed. */
  undone(uploadId: string): Promise<void>;
  /** It could not be undone: its intent stays, and the account's alarm does it later. */
  abandoned(uploadId: string): void;
}

/**
 * Puts one file of a request into R2: in one go when it fits a part, else as a multipart upload whose memory does not
 * grow with the file. A small file's put goes on in `stored` while the request's next file is being read.
 * @throws ServiceError 400, 413, 415, 429 for this file alone; nothing of it is left then
 */
export async function storeFile(
  account: AccountContext,
  incoming: IncomingFile,
  tracker: UploadTracker,
): Promise<{ readonly bufferedBytes: number; readonly stored: Promise<StoredFile> }> {
  const head = await incoming.readPart();
  const file = identifyFile(account, incoming.uploadedName, head.bytes);
  if (incoming.ended) return { bufferedBytes: head.length, stored: storeSmall(account, file, head, tracker) };
  const stored = await storeLarge(account, file, head, incoming, tracker);
  return { bufferedBytes: 0, stored: Promise.resolve(stored) };
}

async function storeSmall(
  account: AccountContext,
  file: IdentifiedFile,
  { bytes }: PartBuffer,
  tracker: UploadTracker,
): Promise<StoredFile> {
  await reserveStorage(account, file, bytes.length, bytes.length);
  tracker.began(file);
  await account.files.put(file.objectKey, bytes, { httpMetadata: { contentType: file.mimeType } });
  return { ...file, sizeBytes: bytes.length };
}

async function storeLarge(
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
    const [{ parts, sizeBytes }] = await Promise.all([
      uploadParts(account, multipart, head, incoming, allowedBytes),
      announced,
    ]);
    // What this file did not need may be what the request's next one does.
    if (sizeBytes < allowedBytes) await account.meter.shrink(uploadId, sizeBytes);
    await multipart.complete(parts);
    return { ...file, sizeBytes };
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
  let next = head;
  let spare = new PartBuffer(PART_BYTES);
  for (let number = 1; next.length > 0; number++) {
    sizeBytes += next.length;
    if (sizeBytes > allowedBytes) throw storageLimit(account);
    const uploading = multipart.uploadPart(number, next.bytes);
    const [part, following] = await Promise.allSettled([uploading, incoming.readPart(spare)]);
    // Both have ended before an error is thrown: a part still under way could outlive the abort.
    if (part.status === "rejected") throw part.reason;
    if (following.status === "rejected") throw following.reason;
    parts.push(part.value);
    // Two buffers take turns: new ones for each part would pile up until the collector comes.
    spare = next;
    next = following.value;
  }
  return { parts, sizeBytes };
}
