import { folderExists } from "../../../db/library/folders.ts";
import type { Upload } from "../../../db/library/schema.ts";
import { ERRORS } from "../../../domain/errors.ts";
import type { Resumable, ResumableFile } from "../../../meter/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { commitUploads } from "../commit/commit-uploads.ts";
import type { HeldPart } from "../receive/held-part.ts";
import { compressStored } from "../store/compress-stored.ts";
import { identifyFile, requireMediaType } from "../store/identify-file.ts";
import { MOVING_RETRY_AFTER_SECONDS } from "../store/reserve-storage.ts";
import { qualityFor } from "../store/store-file.ts";
import { storeHeld } from "../store/store-held.ts";
import { compressedForm } from "../store/store-stream.ts";
import type { StoredFile } from "../store/stored-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { HELD_RETRY_AFTER_SECONDS } from "./writer.ts";

/**
 * Stores an upload that is not more than a part, as any file that is held as a whole. Until it is settled its bytes so far stay where
 * they are kept, so that it can be undone like any other.
 * @throws ServiceError 400, 413, 415, 429, 503
 */
export async function finishHeld(run: UploadRun, upload: Resumable, part: HeldPart): Promise<StoredFile> {
  const { account } = run;
  try {
    const mimeType = requireMediaType(part);
    const file = identifyFile(account, upload.facts.filename, { mimeType, part, isWhole: true }, upload.id);
    return await storeHeld(run, file, part, qualityFor(account, mimeType));
  } finally {
    part.release({ wasStored: false });
  }
}

interface Streamed {
  readonly upload: Resumable;
  readonly file: ResumableFile;
  readonly writer: string;
}

/**
 * Makes one object of an upload's parts, and compresses it where that is wanted. From the announcement on it is finished in any case, if
 * not here then by the account's alarm.
 * @throws ServiceError 423, 429, 503; Error if R2 fails
 */
export async function finishStreamed(run: UploadRun, { upload, file, writer }: Streamed): Promise<StoredFile> {
  const { account } = run;
  const { multipartId: _, ...facts } = file;
  const sizeBytes = upload.length ?? upload.offset;
  const stored: StoredFile = {
    ...{ ...facts, uploadId: upload.id, createdAt: account.now() },
    ...{ sizeBytes, originalSizeBytes: sizeBytes, compressionQuality: null },
  };
  const quality = qualityFor(account, file.mimeType);
  const target = quality === null ? undefined : { file: compressedForm(run, stored), quality };
  const isRenamed = target !== undefined && target.file.objectKey !== file.objectKey;
  const completion = await account.meter.completeResumable(upload.id, writer, {
    file,
    ...(isRenamed ? { resultKey: target.file.objectKey } : {}),
    ...(quality === null ? {} : { quality }),
  });
  switch (completion.outcome) {
    case "completed":
      account.figures = completion.figures;
      break;
    case "operations-exhausted":
      account.figures = completion.figures;
      throw ERRORS.OperationsExhausted(completion.retryAfterSeconds);
    case "moving":
      throw ERRORS.Unavailable(MOVING_RETRY_AFTER_SECONDS);
    case "lost":
      throw ERRORS.UploadHeld(HELD_RETRY_AFTER_SECONDS);
  }
  const fitTo = (bytes: number) => account.meter.shrink(upload.id, bytes);
  return compressStored(run, { stored, reservation: { fitTo }, target });
}

/**
 * Makes a stored file an upload.
 * @throws ServiceError 401, 503; Error if a store fails
 */
export async function commitStored(run: UploadRun, file: StoredFile, { facts }: Resumable): Promise<Upload> {
  const folderId = await findFolder(run.account, facts.folderId);
  const [outcome] = await commitUploads(run, [{ file }], { folderId, tags: facts.tags });
  if (outcome === undefined) throw new Error("A file has no outcome");
  if ("failed" in outcome) throw outcome.failed.error;
  return outcome.upload;
}

/** The folder was there when the upload began; where it is gone by now, Root is. */
async function findFolder({ library, accountId }: AccountContext, folderId: string | null): Promise<string | null> {
  return folderId !== null && (await folderExists(library, accountId, folderId)) ? folderId : null;
}
