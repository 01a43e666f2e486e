import { folderExists } from "../../../db/library/folders.ts";
import type { Upload } from "../../../db/library/schema.ts";
import { NO_CAMERA } from "../../../domain/camera-facts.ts";
import { ERRORS } from "../../../domain/errors.ts";
import { NO_FACTS } from "../../../domain/upload-facts.ts";
import type { Resumable, ResumableFile } from "../../../meter/resumable/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { commitUploads } from "../commit/commit-uploads.ts";
import { dropDuplicates } from "../drop-duplicates.ts";
import {
  claimBytes,
  DuplicateFound,
  mayBeBlocked,
  refuseBlocked,
  refuseDuplicate,
  uploadedHash,
} from "../known-bytes.ts";
import type { HeldPart } from "../receive/incoming-file.ts";
import { compressStored } from "../store/compress.ts";
import { identifyFile, requireAllowedType, type StoredFile } from "../store/identify-file.ts";
import { MOVING_RETRY_AFTER_SECONDS } from "../store/reserve-storage.ts";
import { qualityFor, storeHeld } from "../store/store-file.ts";
import { compressedForm } from "../store/store-stream.ts";
import type { UploadRun } from "../upload-run.ts";
import { HELD_RETRY_AFTER_SECONDS } from "./unfinished-uploads.ts";

/**
 * Stores an upload of up to one part like any file that is held in memory. Its received bytes stay stored until it is
 * settled, so that it can be undone.
 * @throws ServiceError 400, 413, 415, 429, 503; DuplicateFound
 */
export async function finishHeld(run: UploadRun, upload: Resumable, part: HeldPart): Promise<StoredFile> {
  const { account } = run;
  try {
    const mimeType = requireAllowedType(account, part);
    const { visibility = "public" } = upload.facts;
    const file = identifyFile(run, upload.facts.filename, { mimeType, part, isWhole: true, visibility }, upload.id);
    const stored = await storeHeld(run, file, part, qualityFor(run, mimeType));
    const [result] = run.options.dedupe ? await dropDuplicates(run, [{ file: stored }]) : [];
    if (result !== undefined && "duplicate" in result) throw new DuplicateFound(result.duplicate);
    return stored;
  } finally {
    part.release({ wasStored: false });
  }
}

/** The hashes of a file whose first parts an older version received. */
const UNKNOWN = { sha256: null, uploadedSha256: null };

interface Streamed {
  readonly upload: Resumable;
  readonly file: ResumableFile;
  readonly writer: string;
}

/**
 * Makes one object of an upload's parts, and compresses it if requested. After the announcement the upload is completed
 * in any case, by this request or by the account's alarm.
 * @throws ServiceError 415 for blocked bytes, 423, 429, 503; DuplicateFound; Error if R2 fails
 */
export async function finishStreamed(run: UploadRun, { upload, file, writer }: Streamed): Promise<StoredFile> {
  const { account } = run;
  const { multipartId: _, scrub: __, hashes: ___, sha256 = UNKNOWN, ...facts } = file;
  const sizeBytes = upload.length ?? upload.offset;
  await refuseBlocked(account, sizeBytes, Object.values(sha256));
  const stored: StoredFile = {
    ...NO_CAMERA,
    visibility: "public",
    ...facts,
    ...sha256,
    uploadId: upload.id,
    createdAt: account.now(),
    sizeBytes,
    originalSizeBytes: sizeBytes,
    compressionQuality: null,
  };
  const hash = uploadedHash(stored);
  if (run.options.dedupe && hash !== null) {
    await claimBytes(account, [{ uploadId: upload.id, sha256: hash }]);
    await refuseDuplicate(run, { sha256: hash, visibility: stored.visibility });
  }
  const quality = qualityFor(run, file.mimeType);
  const target = quality === null ? undefined : { file: compressedForm(run, stored), quality };
  const isRenamed = target !== undefined && target.file.objectKey !== file.objectKey;
  const completion = await account.meter.completeResumable(upload.id, writer, {
    file,
    isSuspect: sha256 === UNKNOWN && (await mayBeBlocked(account, sizeBytes)),
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
    case "blocked":
      throw ERRORS.ContentBlocked();
    case "moving":
      throw ERRORS.Unavailable(MOVING_RETRY_AFTER_SECONDS);
    case "lost":
      throw ERRORS.UploadLocked(HELD_RETRY_AFTER_SECONDS);
  }
  const fitTo = (bytes: number) => account.meter.shrink(upload.id, bytes);
  return compressStored(run, { stored, reservation: { fitTo }, target });
}

/**
 * Turns a stored file into an upload.
 * @throws ServiceError 401, 409 for a taken `externalId`, 503; Error if a store fails
 */
export async function commitStored(run: UploadRun, file: StoredFile, { facts }: Resumable): Promise<Upload> {
  const folderId = await findFolder(run.account, facts.folderId);
  const { visibility } = file;
  const fields = { ...NO_FACTS, ...facts.upload, folderId, tags: facts.tags, visibility };
  const [outcome] = await commitUploads(run, [{ file }], fields, facts.uploadedBy);
  if (outcome === undefined) throw new Error("A file has no outcome");
  if ("failed" in outcome) throw outcome.failed.error;
  return outcome.upload;
}

/** The folder existed when the upload began; if it was deleted since, the upload goes to Root. */
async function findFolder({ library, accountId }: AccountContext, folderId: string | null): Promise<string | null> {
  return folderId !== null && (await folderExists(library, accountId, folderId)) ? folderId : null;
}
