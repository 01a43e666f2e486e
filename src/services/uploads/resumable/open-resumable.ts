import { findUpload } from "../../../db/library/uploads.ts";
import { ERRORS } from "../../../domain/errors.ts";
import type { Resumable } from "../../../meter/resumable.ts";
import type { ResumableClaim } from "../../../meter/resumable-answers.ts";
import type { AccountContext } from "../../context.ts";
import { storageFull } from "./storage-full.ts";
import type { Progress } from "./write-piece.ts";
import { HELD_RETRY_AFTER_SECONDS } from "./writer.ts";

/** An upload that a request may write to, or one to which nothing can be added. */
export type OpenedUpload = { readonly upload: Resumable } & ({ readonly isOpen: true } | { readonly isOpen: false });

/**
 * Opens an upload for a request; one that hangs in the middle of writing to it is made to stop.
 * @throws ServiceError 400, 404, 409, 413, 423
 */
export async function openResumable(
  account: AccountContext,
  uploadId: string,
  claim: ResumableClaim,
): Promise<OpenedUpload> {
  const opening = await account.meter.openResumable(uploadId, claim);
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
      throw ERRORS.InvalidRequest({ "Upload-Length": "It is not the length said before, or less than what is there" });
    case "storage-full":
      throw storageFull(account, opening);
    case "held":
      throw ERRORS.UploadHeld(HELD_RETRY_AFTER_SECONDS);
    case "unknown":
      throw ERRORS.UploadNotFound();
  }
}

/** How far an upload is to which nothing is added. */
export async function progressOf(account: AccountContext, { id, offset, state }: Resumable): Promise<Progress> {
  if (state !== "done") return { offset };
  const upload = await findUpload(account.library, account.accountId, id);
  if (upload === undefined) throw ERRORS.UploadNotFound();
  return { offset, upload };
}
