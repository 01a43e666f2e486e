import { ConstraintError } from "../../db/constraint-error.ts";
import type { Upload } from "../../db/library/schema.ts";
import { findUpload, insertUploads, NEW_UPLOAD } from "../../db/library/uploads.ts";
import type { CameraFacts } from "../../domain/camera-facts.ts";
import { keyAs, storedKey } from "../../domain/object-key.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { isFileBlocked } from "../intents/blocked-file.ts";
import type { UploadIntent } from "../intents/intent.ts";
import type { IntentEffect } from "../intents/intent-effect.ts";
import { performIntent } from "../intents/perform-intent.ts";
import { isMultipartUploadGone } from "./abort-multipart-upload.ts";
import { readFarFacts } from "./read-far-facts.ts";
import { type Resumable, type ResumableFile, resumableKey } from "./resumable.ts";

/** An upload whose bytes have all arrived, and its parts. */
export interface WholeUpload {
  readonly upload: Resumable & { readonly file: ResumableFile };
  readonly parts: readonly R2UploadedPart[];
}

/**
 * Lets R2 make one object of an upload's parts. Does nothing if the upload was completed before or no longer exists.
 * @throws Error if R2 fails
 */
export async function completeMultipartUpload(
  files: R2Bucket,
  file: ResumableFile,
  parts: readonly R2UploadedPart[],
): Promise<void> {
  try {
    await files.resumeMultipartUpload(resumableKey(file), file.multipartId).complete([...parts]);
  } catch (error) {
    if (!isMultipartUploadGone(error)) throw error;
  }
}

/**
 * Continues an upload whose end was announced, from any step. It is never undone, so that no client sends its bytes twice. An image that
 * was not compressed yet stays as uploaded.
 * @returns undefined if R2 has nothing of the upload, its bytes are blocked, or another upload has its external id
 */
export async function finishResumable(
  intent: UploadIntent,
  { upload, parts }: WholeUpload,
  stores: AccountStores,
): Promise<IntentEffect | undefined> {
  const { accountId, library, files } = stores;
  if ((await findUpload(library, accountId, upload.id)) === undefined) {
    await completeMultipartUpload(files, upload.file, parts);
    const stored = await findStored(intent, upload, files);
    if (stored === undefined) return undefined;
    if (await isFileBlocked(stores, storedKey(stored), upload.file.sha256)) {
      await files.delete(storedKey(stored));
      return undefined;
    }
    const { facts } = upload;
    const row = {
      ...NEW_UPLOAD,
      id: upload.id,
      accountId,
      createdAt: stores.now,
      folderId: facts.folderId,
      tags: facts.tags,
      uploadedBy: facts.uploadedBy ?? null,
      ...facts.upload,
      ...hashesOf(upload.file, stored),
      originalFilename: upload.file.originalFilename,
      ...(await findCamera(upload.file, stored, files)),
      width: upload.file.width,
      height: upload.file.height,
      ...stored,
    };
    if (!(await insertRow(stores, row))) {
      await files.delete(storedKey(stored));
      return undefined;
    }
  }
  return performIntent(intent, stores);
}

type StoredFacts = Pick<
  Upload,
  "objectKey" | "visibility" | "mimeType" | "sizeBytes" | "originalSizeBytes" | "compressionQuality"
>;

/** Finds the stored file in R2: as uploaded, or compressed. The compressed file is always smaller. */
async function findStored(
  { resultKey, quality }: UploadIntent,
  { file, offset }: WholeUpload["upload"],
  files: R2Bucket,
): Promise<StoredFacts | undefined> {
  const { visibility = "public" } = file;
  const object = await files.head(resumableKey(file));
  if (object !== null) {
    const compressionQuality = object.size === offset ? null : (quality ?? null);
    return { ...pick(file), visibility, sizeBytes: object.size, originalSizeBytes: offset, compressionQuality };
  }
  const result = resultKey === undefined ? null : await files.head(keyAs(resultKey, visibility));
  if (result === null || resultKey === undefined) return undefined;
  const sizes = { sizeBytes: result.size, originalSizeBytes: offset, compressionQuality: quality ?? null };
  return { objectKey: resultKey, visibility, mimeType: "image/png", ...sizes };
}

/** Only its request knew the hash of a compressed image. */
function hashesOf({ sha256 }: ResumableFile, { compressionQuality }: StoredFacts): Partial<Upload> {
  if (sha256 === undefined || compressionQuality === null) return sha256 ?? {};
  return { sha256: null, uploadedSha256: sha256.uploadedSha256 ?? sha256.sha256 };
}

function pick({ objectKey, mimeType }: ResumableFile) {
  return { objectKey, mimeType };
}

/** A film's facts may be behind its first part. Its request may have died before it read them. */
async function findCamera(
  { takenAt = null, camera = null, lens = null, exposure = null, location = null, farBoxAt }: ResumableFile,
  stored: StoredFacts,
  files: R2Bucket,
): Promise<CameraFacts> {
  if (farBoxAt === undefined)
    return { takenAt, camera, lens, exposure, location: stored.compressionQuality === null ? location : null };
  return readFarFacts(files, { key: storedKey(stored), farBoxAt, sizeBytes: stored.sizeBytes });
}

/** If the folder is gone, the upload goes to Root. @returns false if another upload has its external id */
async function insertRow(stores: AccountStores, row: Upload): Promise<boolean> {
  try {
    await insertUploads(stores.library, [row]);
    return true;
  } catch (error) {
    const constraint = error instanceof ConstraintError ? error.constraint : undefined;
    if (constraint === "unique") return false;
    if (constraint !== "foreign-key" || row.folderId === null) throw error;
    return insertRow(stores, { ...row, folderId: null });
  }
}
