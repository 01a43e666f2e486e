import type { Upload } from "../../../db/library/schema.ts";
import { findUpload } from "../../../db/library/uploads.ts";
import { ERRORS, type ServiceError } from "../../../domain/errors.ts";
import { keyOfOwnUploads } from "../../../domain/principal.ts";
import type { AccountFigures } from "../../../meter/books/figures.ts";
import type { ResumableClaim, UnfinishedUpload } from "../../../meter/resumable/outcomes.ts";
import type { Resumable } from "../../../meter/resumable/resumable.ts";
import type { AccountContext } from "../../context.ts";
import { reachesFolder } from "../../folders/resolve-folder.ts";
import { type Page, type PageQuery, pageOfFew } from "../../paging.ts";
import { storageLimit } from "../store/reserve-storage.ts";

/** `Retry-After` when another request is writing. */
export const HELD_RETRY_AFTER_SECONDS = 1;

/** The state of an upload. */
export interface ResumableProgress {
  readonly offset: number;
  /** Set after the upload is stored. */
  readonly upload?: Upload;
  /** Whether `upload` was stored before, with the same bytes. */
  readonly isDuplicate?: boolean;
}

/** An upload, and whether the request may write to it. */
type OpenedUpload = { readonly upload: Resumable } & ({ readonly isOpen: true } | { readonly isOpen: false });

/**
 * Opens an upload for a request; another request that hangs while writing to it is stopped.
 * @throws ServiceError 400, 404, 409, 413, 423
 */
export async function openResumable(
  account: AccountContext,
  uploadId: string,
  claim: ResumableClaim,
): Promise<OpenedUpload> {
  const opening = await account.meter.openResumable(uploadId, { ...claim, ...limitOf(account) });
  switch (opening.outcome) {
    case "opened":
      return { upload: opening.upload, isOpen: true };
    case "idle":
      return { upload: opening.upload, isOpen: false };
    case "done":
      if (claim.offset !== opening.upload.offset) throw ERRORS.OffsetConflict(opening.upload.offset);
      return { upload: opening.upload, isOpen: false };
    case "conflict":
      throw ERRORS.OffsetConflict(opening.upload.offset);
    case "misfit":
      throw ERRORS.InvalidRequest({
        "Upload-Length": "Differs from the earlier length, or is less than the received bytes",
      });
    case "storage-full":
      throw storageFull(account, opening);
    case "token-used-up":
      throw ERRORS.UploadTokenUsedUp(opening.limit);
    case "held":
      throw ERRORS.UploadLocked(HELD_RETRY_AFTER_SECONDS);
    case "unknown":
      throw ERRORS.UploadNotFound();
  }
}

/** Only uploads of the caller's own key, if it has no rights beyond them. */
function limitOf({ principal }: AccountContext): Pick<ResumableClaim, "ofKey"> {
  const ofKey = keyOfOwnUploads(principal);
  return ofKey === undefined ? {} : { ofKey };
}

/** The progress of an upload that is not written to. */
export async function progressOf(
  account: AccountContext,
  { id, offset, state, facts }: Resumable,
): Promise<ResumableProgress> {
  if (state !== "done") return { offset };
  const { duplicateOf = id } = facts;
  const upload = await findUpload(account.library, account.accountId, duplicateOf);
  if (upload === undefined || !(await reachesFolder(account, upload.folderId))) throw ERRORS.UploadNotFound();
  return { offset, upload, isDuplicate: duplicateOf !== id };
}

export type { UnfinishedUpload };

/** An upload's state, without disturbing its writer. @throws ServiceError 404 */
export async function findResumable(
  account: AccountContext,
  uploadId: string,
): Promise<{ readonly resumable: Resumable; readonly progress: ResumableProgress }> {
  const resumable = await account.meter.findResumable(uploadId, keyOfOwnUploads(account.principal));
  if (resumable === undefined) throw ERRORS.UploadNotFound();
  return { resumable, progress: await progressOf(account, resumable) };
}

/** The account's unfinished uploads, newest first. */
export async function listUnfinished(account: AccountContext, query: PageQuery): Promise<Page<UnfinishedUpload>> {
  const rows: UnfinishedUpload[] = await account.meter.listResumables();
  const list = { name: "listUnfinishedUploads", accountId: account.accountId };
  return pageOfFew(account, query, { list, rows, keyOf: ({ id }) => id, isDescending: true });
}

/** Deletes an unfinished upload; `deleteImage` deletes a finished one. @throws ServiceError 404, 423 */
export async function removeResumable(account: AccountContext, uploadId: string): Promise<void> {
  switch (await account.meter.removeResumable(uploadId, keyOfOwnUploads(account.principal))) {
    case "removed":
      return;
    case "unknown":
      throw ERRORS.UploadNotFound();
    case "held":
      throw ERRORS.UploadLocked(HELD_RETRY_AFTER_SECONDS);
  }
}

/** The 413 of ERR-3, and the storage that unfinished uploads reserve. */
export function storageFull(
  account: AccountContext,
  { figures, reservedBytes }: { readonly figures: AccountFigures; readonly reservedBytes: number },
): ServiceError {
  account.figures = figures;
  return storageLimit(account).withDetails({ reservedBytes });
}
