import { toLogLine } from "../../../domain/log-line.ts";
import { MAX_COMPRESSIBLE_BYTES } from "../../../processor/compression.ts";
import type { HeldPart } from "../receive/held-part.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { withType } from "./identify-file.ts";
import { sendPart, sendParts } from "./send-parts.ts";
import { StorageReservation } from "./storage-reservation.ts";
import type { IdentifiedFile, StoredFile } from "./stored-file.ts";

/** A file that is larger than one part. */
export interface LargeFile {
  readonly file: IdentifiedFile;
  /** Its first part; it is released once it was sent. */
  readonly first: HeldPart;
  /** The rest of it. */
  readonly incoming: IncomingFile;
  /** The quality it is to be compressed with afterwards; null if it is to stay as it is. */
  readonly quality: number | null;
}

/** A file that is in R2 as it was uploaded, and what it may become. */
export interface StreamedFile {
  readonly stored: StoredFile;
  /** What is reserved for it, which is to be what is stored in the end. */
  readonly reservation: Pick<StorageReservation, "fitTo">;
  /** The file as its compressed form would be stored; undefined if it is to stay as it is. */
  readonly target: { readonly file: IdentifiedFile; readonly quality: number } | undefined;
}

/**
 * Streams a file into an R2 multipart upload: memory does not grow with it. An image that is to be compressed is announced
 * under both of its keys, and need not fit the storage that is left before it was compressed.
 * @throws ServiceError 413, 429, 503; nothing of it is left then
 */
export async function storeStream(run: UploadRun, large: LargeFile): Promise<StreamedFile> {
  const { file, first, incoming, quality } = large;
  const target = quality === null ? undefined : { file: compressedForm(run, file), quality };
  const { reservation, multipart } = await begin(run, large, target?.file).catch((error: unknown) => {
    first.release({ wasStored: false });
    throw error;
  });
  try {
    // Not awaited before the first part: were the Worker to die here, R2 itself drops what was never completed.
    const announcing = run.account.meter.renew([], { uploadId: file.uploadId, multipartUploadId: multipart.uploadId });
    const parts: R2UploadedPart[] = [];
    let sizeBytes = 0;
    const sending = sendParts(incoming, first, async (part) => {
      sizeBytes += part.length;
      await cover(reservation, sizeBytes, part);
      parts.push(await sendPart(multipart, parts.length + 1, part));
    });
    const [sent, announced] = await Promise.allSettled([sending, announcing]);
    if (sent.status === "rejected") throw sent.reason;
    if (announced.status === "rejected") throw announced.reason;
    if (target === undefined) await reservation.fitTo(sizeBytes);
    await multipart.complete(parts);
    const stored = { ...file, sizeBytes, originalSizeBytes: sizeBytes, compressionQuality: null };
    return { stored, reservation, target };
  } catch (error) {
    await undo(run, file.uploadId, multipart);
    throw error;
  }
}

/** @throws ServiceError 413, 503; the part is released then */
async function cover(reservation: StorageReservation, sizeBytes: number, part: HeldPart): Promise<void> {
  try {
    await reservation.cover(sizeBytes);
  } catch (error) {
    part.release({ wasStored: false });
    throw error;
  }
}

/** A static GIF becomes a PNG, under another key; every other image keeps its type. */
export function compressedForm({ account }: UploadRun, file: IdentifiedFile): IdentifiedFile {
  return withType(account.accountId, file, file.mimeType === "image/gif" ? "image/png" : file.mimeType);
}

async function begin(run: UploadRun, { file, first, incoming }: LargeFile, target: IdentifiedFile | undefined) {
  const { account, open } = run;
  const { uploadId, objectKey } = file;
  const isRenamed = target !== undefined && target.objectKey !== objectKey;
  const announced = { uploadId, objectKeys: isRenamed ? [objectKey, target.objectKey] : [objectKey] };
  const isTooLarge =
    incoming.isSizeKnown && first.length + incoming.remainingBytes > MAX_COMPRESSIBLE_BYTES + OVERHEAD_BYTES;
  const lenientBytes = target === undefined || isTooLarge ? 0 : MAX_COMPRESSIBLE_BYTES;
  const reservation = await StorageReservation.open(account, announced, {
    incoming,
    headBytes: first.length,
    lenientBytes,
  });
  open.began(announced);
  const httpMetadata = { contentType: file.mimeType };
  return { reservation, multipart: await account.files.createMultipartUpload(objectKey, { httpMetadata }) };
}

/** What a form may have behind its file. */
const OVERHEAD_BYTES = 64 * 1024;

async function undo({ open }: UploadRun, uploadId: string, multipart: R2MultipartUpload): Promise<void> {
  try {
    await multipart.abort();
    // There is an object if the upload was completed and only the answer got lost.
    await open.undo(uploadId);
  } catch (error) {
    console.error(toLogLine("upload.not-aborted", { uploadId }, error));
    open.abandoned(uploadId);
  }
}
