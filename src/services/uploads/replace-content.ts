import type { NewContent } from "../../db/library/replace-content.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Replacement } from "../../meter/intents/replace-content.ts";
import type { RawBody } from "../../multipart/byte-window.ts";
import type { MultipartReader } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";
import { getOwnUpload } from "../images/get-own-upload.ts";
import type { Upload } from "../records.ts";
import { countUpload } from "./commit/commit-uploads.ts";
import { RETRY_AFTER_SECONDS } from "./receive/upload-memory.ts";
import type { StoredFile } from "./store/identify-file.ts";
import { type RawReplacement, receiveReplacement } from "./upload-files.ts";
import { logNotUndone, removeUploads, type UploadRun } from "./upload-run.ts";

/**
 * Gives an active upload new bytes (REPL-1), from a form with one file or from a raw body. They are first stored as an upload in progress,
 * with the steps and limits of any upload. One call to the account's object then puts them in the place of the former bytes.
 * @param filename the new name of a raw body; empty: the upload keeps its name
 * @returns the upload with its new bytes
 * @throws ServiceError 403, 404 for the upload, 409 if it is in the trash, 451 if it is taken down; and the errors of an upload
 */
export async function replaceContent(
  account: AccountContext,
  uploadId: string,
  body: { readonly form: MultipartReader } | (RawReplacement & { readonly raw: RawBody }),
): Promise<Upload> {
  const former = await findReplaceable(account, uploadId).catch(async (error: unknown) => {
    await ("form" in body ? body.form : body.raw).refuse();
    throw error;
  });
  account.replaces = former;
  return receiveReplacement(account, body, (run, file) =>
    commitReplacement(run, { uploadId: former.id, replacementId: file.uploadId, content: toContent(former, file) }),
  );
}

/** @throws ServiceError 403, 404; 409 for a file in the trash, 451 for one that was taken down */
export async function findReplaceable(account: AccountContext, uploadId: string): Promise<Upload> {
  const upload = await getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  if (upload.takedown !== null) throw ERRORS.TakenDown();
  if (upload.status === "trash") throw ERRORS.ImageInTrash();
  return upload;
}

/**
 * Gives an upload bytes that are stored as an upload in progress.
 * @throws ServiceError; then nothing of the new bytes is left
 */
export async function commitReplacement(run: UploadRun, replacement: Replacement): Promise<Upload> {
  const { account, open } = run;
  const stored = open.takeAll();
  // If the answer is lost, the account's alarm finishes the replacement or undoes the upload.
  const answer = await account.meter.replaceContent(replacement);
  if (answer.outcome !== "refused") account.figures = answer.figures;
  if (answer.outcome === "replaced") {
    account.operations += 1;
    countUpload(answer.upload);
    return answer.upload;
  }
  await account.meter.giveUp(stored);
  await removeUploads(account, stored).catch((error: unknown) => logNotUndone(account, error));
  switch (answer.outcome) {
    case "refused":
      throw ERRORS.InvalidKey();
    case "gone":
      throw ERRORS.ImageNotFound();
    case "trashed":
      throw ERRORS.ImageInTrash();
    case "taken-down":
      throw ERRORS.TakenDown();
    case "changed":
    case "missing":
    case "unfinished":
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
}

/** The facts of an upload that follow from its new bytes. */
export function toContent(former: Upload, file: StoredFile): NewContent {
  const { objectKey, mimeType, sizeBytes, originalSizeBytes, compressionQuality, width, height } = file;
  const {
    takenAt,
    camera,
    lens,
    exposure,
    location,
    sha256,
    uploadedSha256,
    placeholder = null,
    originalFilename,
  } = file;
  return {
    objectKey,
    mimeType,
    sizeBytes,
    originalSizeBytes,
    compressionQuality,
    width,
    height,
    takenAt,
    camera,
    lens,
    exposure,
    location,
    sha256,
    uploadedSha256,
    placeholder,
    ...(originalFilename === former.originalFilename ? {} : { originalFilename }),
  };
}
