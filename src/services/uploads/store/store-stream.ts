import { toLogLine } from "../../../domain/log-line.ts";
import { storedKey } from "../../../domain/object-key.ts";
import { MAX_COMPRESSIBLE_BYTES } from "../../../processor/compression.ts";
import { refuseBlocked, refuseDuplicate } from "../known-bytes.ts";
import type { HeldPart, IncomingFile } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { type IdentifiedFile, type StoredFile, withType } from "./identify-file.ts";
import { StorageReservation } from "./reserve-storage.ts";
import { FileScrub, PartHashes } from "./scrub-and-hash.ts";
import { sendPart, sendParts } from "./write-to-r2.ts";

/** A file that is larger than one part. */
export interface LargeFile {
  readonly file: IdentifiedFile;
  /** Its first part, which is released after it was sent. */
  readonly first: HeldPart;
  /** Its next part, if bytes of it were already read. It is released, too. */
  readonly second: HeldPart | undefined;
  /** The rest of the file. */
  readonly incoming: IncomingFile;
  /** The quality at which it is compressed afterwards; null if it stays as uploaded. */
  readonly quality: number | null;
}

/** A file in R2 as it was uploaded, and its compressed form. */
export interface StreamedFile {
  readonly stored: StoredFile;
  /** Its reservation, which must become the stored size. */
  readonly reservation: Pick<StorageReservation, "fitTo">;
  /** The file as its compressed form is stored; undefined if it stays as uploaded. */
  readonly target: { readonly file: IdentifiedFile; readonly quality: number } | undefined;
}

/**
 * Streams a file into an R2 multipart upload: memory does not grow with it. An image that will be compressed is
 * announced with both of its keys, and only its compressed form must fit the free storage.
 * @throws ServiceError 413, 415 for blocked bytes, 429, 503, and DuplicateFound, with nothing left of it
 */
export async function storeStream(run: UploadRun, large: LargeFile): Promise<StreamedFile> {
  const { file, first, second, incoming, quality } = large;
  const target = quality === null ? undefined : { file: compressedForm(run, file), quality };
  const { reservation, multipart } = await begin(run, large, target?.file).catch((error: unknown) => {
    for (const part of [first, second]) part?.release({ wasStored: false });
    throw error;
  });
  try {
    // Not awaited before the first part: if the Worker ends here, R2 itself drops the unfinished multipart upload.
    const announcing = run.account.meter.renew([], { uploadId: file.uploadId, multipartUploadId: multipart.uploadId });
    const parts: R2UploadedPart[] = [];
    const scrub = FileScrub.begin(run, file.mimeType);
    const hashes = PartHashes.begin();
    let sizeBytes = 0;
    const sending = sendParts(incoming, { first, second }, async (part) => {
      sizeBytes += part.length;
      await cover(reservation, sizeBytes, part);
      await scrubbed(hashes, scrub, part);
      parts.push(await sendPart(multipart, parts.length + 1, part));
    });
    const [sent, announced] = await Promise.allSettled([sending, announcing]);
    if (sent.status === "rejected") throw sent.reason;
    if (announced.status === "rejected") throw announced.reason;
    const { sha256 } = hashes;
    await refuseBlocked(run.account, sizeBytes, Object.values(sha256));
    await refuseDuplicate(run, { sha256: hashes.uploaded, visibility: file.visibility });
    if (target === undefined) await reservation.fitTo(sizeBytes);
    await multipart.complete(parts);
    const stored = { ...file, ...sha256, sizeBytes, originalSizeBytes: sizeBytes, compressionQuality: null };
    return { stored, reservation, target };
  } catch (error) {
    await undo(run, file.uploadId, multipart);
    throw error;
  }
}

/** @throws ServiceError 413, 503; the part is then released */
async function cover(reservation: StorageReservation, sizeBytes: number, part: HeldPart): Promise<void> {
  try {
    await reservation.cover(sizeBytes);
  } catch (error) {
    part.release({ wasStored: false });
    throw error;
  }
}

/** Overwrites a part's metadata, and hashes the part. @throws Error; the part is then released */
async function scrubbed(hashes: PartHashes, scrub: FileScrub, part: HeldPart): Promise<void> {
  try {
    await hashes.scrub(scrub, part);
  } catch (error) {
    part.release({ wasStored: false });
    throw error;
  }
}

/** A static GIF becomes a PNG with another key; all other images keep their type. */
export function compressedForm({ account }: UploadRun, file: IdentifiedFile): IdentifiedFile {
  return withType(account.accountId, file, file.mimeType === "image/gif" ? "image/png" : file.mimeType);
}

async function begin(run: UploadRun, { file, first, second, incoming }: LargeFile, target: IdentifiedFile | undefined) {
  const { account, open } = run;
  const { uploadId, objectKey, visibility } = file;
  const isRenamed = target !== undefined && target.objectKey !== objectKey;
  const announced = { uploadId, objectKeys: isRenamed ? [objectKey, target.objectKey] : [objectKey], visibility };
  const headBytes = first.length + (second?.length ?? 0);
  const isTooLarge =
    incoming.isSizeKnown && headBytes + incoming.remainingBytes > MAX_COMPRESSIBLE_BYTES + OVERHEAD_BYTES;
  const lenientBytes = target === undefined || isTooLarge ? 0 : MAX_COMPRESSIBLE_BYTES;
  const reservation = await StorageReservation.open(account, announced, {
    incoming,
    headBytes,
    lenientBytes,
  });
  open.began(announced);
  const httpMetadata = { contentType: file.mimeType };
  return { reservation, multipart: await account.files.createMultipartUpload(storedKey(file), { httpMetadata }) };
}

/** Bytes that a form may have after its file. */
const OVERHEAD_BYTES = 64 * 1024;

async function undo({ open }: UploadRun, uploadId: string, multipart: R2MultipartUpload): Promise<void> {
  try {
    await multipart.abort();
    // The object exists if the upload was completed and only its answer was lost.
    await open.undo(uploadId);
  } catch (error) {
    console.error(toLogLine("upload.not-aborted", { uploadId }, error));
    open.abandoned(uploadId);
  }
}
