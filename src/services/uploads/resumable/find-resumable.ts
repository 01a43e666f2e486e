import { ERRORS } from "../../../domain/errors.ts";
import type { Resumable } from "../../../meter/resumable.ts";
import type { UnfinishedUpload } from "../../../meter/resumable-answers.ts";
import type { AccountContext } from "../../context.ts";
import { progressOf } from "./open-resumable.ts";
import type { Progress } from "./write-piece.ts";
import { HELD_RETRY_AFTER_SECONDS } from "./writer.ts";

export type { UnfinishedUpload };

/** How an upload stands; whoever writes to it is not disturbed. @throws ServiceError 404 */
export async function findResumable(
  account: AccountContext,
  uploadId: string,
): Promise<{ readonly resumable: Resumable; readonly progress: Progress }> {
  const resumable = await account.meter.findResumable(uploadId);
  if (resumable === undefined) throw ERRORS.UploadNotFound();
  return { resumable, progress: await progressOf(account, resumable) };
}

/** The account's unfinished uploads, at most 100, newest first. */
export function listUnfinished(account: AccountContext): Promise<UnfinishedUpload[]> {
  return account.meter.listResumables();
}

/** Drops an unfinished upload; a finished one is deleted like any other. @throws ServiceError 404, 423 */
export async function removeResumable(account: AccountContext, uploadId: string): Promise<void> {
  switch (await account.meter.removeResumable(uploadId)) {
    case "removed":
      return;
    case "unknown":
      throw ERRORS.UploadNotFound();
    case "held":
      throw ERRORS.UploadHeld(HELD_RETRY_AFTER_SECONDS);
  }
}
