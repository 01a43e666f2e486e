import { ConstraintError } from "../../../db/constraint-error.ts";
import type { Upload } from "../../../db/library/schema.ts";
import { insertUploads, NEW_UPLOAD } from "../../../db/library/uploads.ts";
import { LibraryMovedError } from "../../../db/library-moved-error.ts";
import { ERRORS, type ServiceError } from "../../../domain/errors.ts";
import { isVideo } from "../../../domain/media-types.ts";
import { keyAs, storedKey } from "../../../domain/object-key.ts";
import { type Actor, actorOf } from "../../../domain/principal.ts";
import type { ClaimedResult } from "../../../meter/books/request-claims.ts";
import { copyObject } from "../../../meter/intents/copy-object.ts";
import { takenId } from "../../images/external-ids.ts";
import { count } from "../../metrics/counts.ts";
import type { UploadFields } from "../receive/upload-fields.ts";
import { RETRY_AFTER_SECONDS } from "../receive/upload-memory.ts";
import type { StoredFile } from "../store/identify-file.ts";
import { logNotUndone, removeUploads, type UploadRun } from "../upload-run.ts";

export interface FailedFile {
  readonly originalFilename: string;
  readonly error: ServiceError;
}

/** `duplicate`: another upload has the bytes. `sameAs`: an earlier file of the request has them. */
export type FileResult =
  | { readonly file: StoredFile }
  | { readonly duplicate: Upload }
  | { readonly sameAs: StoredFile }
  | { readonly failed: FailedFile };

export type FileOutcome = { readonly upload: Upload; readonly isDuplicate?: boolean } | { readonly failed: FailedFile };

/**
 * Turns stored files into uploads: rows, messages, figures.
 * @param uploadedBy the caller that created the upload, if another caller may have sent the last bytes
 * @returns the outcome of each file, in the given order
 * @throws ServiceError 401, 404 if the account or the folder no longer exists; 409 if another upload has got the `externalId`; Error if a
 * store fails
 */
export async function commitUploads(
  run: UploadRun,
  results: readonly FileResult[],
  fields: UploadFields,
  uploadedBy: Actor = actorOf(run.account.principal),
): Promise<FileOutcome[]> {
  const uploads = results.flatMap((result) =>
    "file" in result ? [{ ...toUpload(run, result.file, fields), uploadedBy }] : [],
  );
  const undone = await write(run, uploads, results, fields).catch((error: unknown) => {
    // The library was not only moved: it is being erased with its account and with the rest of these uploads.
    throw error instanceof LibraryMovedError && error.hasLeft ? ERRORS.InvalidKey() : error;
  });
  const committed = new Map(uploads.filter(({ id }) => !undone.has(id)).map((upload) => [upload.id, upload]));
  run.account.operations += committed.size;
  for (const upload of committed.values()) countUpload(upload);
  return results.map((result) => {
    if ("failed" in result) return result;
    if ("duplicate" in result) return { upload: result.duplicate, isDuplicate: true };
    const isDuplicate = "sameAs" in result;
    const { uploadId, originalFilename } = isDuplicate ? result.sameAs : result.file;
    const upload = committed.get(uploadId);
    if (upload !== undefined) return { upload, isDuplicate };
    return { failed: { originalFilename, error: ERRORS.Unavailable(RETRY_AFTER_SECONDS) } };
  });
}

/** @returns as `settle` */
async function write(
  run: UploadRun,
  uploads: readonly Upload[],
  results: readonly FileResult[],
  fields: UploadFields,
): Promise<Set<string>> {
  await moveFiles(run, results, fields);
  await insertRows(run, uploads, fields);
  await announce(run, uploads);
  return settle(run, uploads, results);
}

function toUpload({ account }: UploadRun, file: StoredFile, fields: UploadFields): Upload {
  const { uploadId, ...facts } = file;
  return {
    ...NEW_UPLOAD,
    ...facts,
    ...fields,
    id: uploadId,
    accountId: account.accountId,
    placeholder: file.placeholder ?? null,
  };
}

/** A form's field may follow its files. Files that were stored with another visibility are moved before their rows exist. */
async function moveFiles(
  { account: { files } }: UploadRun,
  results: readonly FileResult[],
  { visibility }: UploadFields,
): Promise<void> {
  for (const result of results) {
    if (!("file" in result) || result.file.visibility === visibility) continue;
    const from = storedKey(result.file);
    await copyObject(files, from, keyAs(result.file.objectKey, visibility));
    await files.delete(from);
  }
}

/** Uploads that the alarm settles after a crash are not counted. */
export function countUpload({ mimeType, sizeBytes, originalSizeBytes, compressionQuality }: Upload): void {
  const type = isVideo(mimeType) ? "video" : "image";
  count("media_uploads_total", { type });
  count("media_upload_bytes_total", { type }, sizeBytes);
  if (compressionQuality === null) return;
  count("media_images_compressed_total");
  count("media_compression_saved_bytes_total", {}, originalSizeBytes - sizeBytes);
}

async function insertRows({ account }: UploadRun, uploads: readonly Upload[], fields: UploadFields): Promise<void> {
  try {
    await insertUploads(account.library, uploads);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    if (error.constraint === "unique") throw await takenId(account, fields.externalId);
    if (error.constraint !== "foreign-key") throw error;
    // The folder existed when its field was read, and the account when its key was.
    throw fields.folderId === null ? ERRORS.InvalidKey() : ERRORS.FolderNotFound();
  }
}

/** Announced before settling, so that after a crash the intent's replay sends the messages. */
async function announce({ account }: UploadRun, uploads: readonly Upload[]): Promise<void> {
  const { accountId, uploadEvents, moderation } = account;
  const unfinished = uploads
    .filter(({ mimeType, placeholder }) => isVideo(mimeType) || placeholder === null)
    .map(({ id, objectKey, mimeType }) => ({
      body: { type: "upload.stored" as const, accountId, uploadId: id, objectKey, mimeType },
    }));
  if (unfinished.length > 0) await uploadEvents.sendBatch(unfinished);
  if (moderation === undefined) return;
  const images = uploads
    .filter(({ mimeType }) => !isVideo(mimeType))
    .map(({ id }) => ({ body: { type: "moderation.requested" as const, accountId, uploadId: id } }));
  if (images.length > 0) await moderation.sendBatch(images);
}

/** A file's result as it is stored for repeats of the request. */
function toClaimedResult(result: FileResult): ClaimedResult {
  if ("file" in result) return { uploadId: result.file.uploadId, originalFilename: result.file.originalFilename };
  if ("sameAs" in result)
    return { uploadId: result.sameAs.uploadId, originalFilename: result.sameAs.originalFilename, isDuplicate: true };
  if ("duplicate" in result) {
    const { id, originalFilename } = result.duplicate;
    return { uploadId: id, originalFilename, isDuplicate: true };
  }
  const { originalFilename, error } = result.failed;
  const { statusCode, code, message, details } = error;
  const kept = details === undefined ? {} : { details: JSON.stringify(details) };
  return { failed: { originalFilename, statusCode, code, error: message, ...kept } };
}

/** @returns the uploads that the account's alarm has undone, with nothing left of them */
async function settle(
  { account, open }: UploadRun,
  uploads: readonly Upload[],
  results: readonly FileResult[],
): Promise<Set<string>> {
  if (uploads.length === 0) return new Set();
  // Rows and objects are complete: if the meter's answer is lost, its alarm settles the uploads, and nothing is undone.
  const settled = open.takeAll();
  const { missing, figures } = await account.meter.settleUploads(
    uploads.map((row) => ({ uploadId: row.id, sizeBytes: row.sizeBytes, row })),
    account.claim && { claim: account.claim, results: results.map(toClaimedResult) },
  );
  if (figures !== undefined) account.figures = figures;
  const isMissing = new Set(missing);
  const undone = settled.filter(({ uploadId }) => isMissing.has(uploadId));
  if (undone.length > 0) {
    // Removes rows and objects that were written after the alarm undid the uploads.
    await removeUploads(account, undone).catch((error: unknown) => {
      if (error instanceof LibraryMovedError) throw error;
      logNotUndone(account, error);
    });
  }
  return isMissing;
}
