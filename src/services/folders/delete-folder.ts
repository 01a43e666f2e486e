import { countTree } from "../../db/library/folders.ts";
import { ERRORS } from "../../domain/errors.ts";
import { actorOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { getFolder } from "./read-folders.ts";

/** The time for which a request waits for a large folder. After that the account's alarm continues the deletion. */
const MAX_WAIT_MS = 25_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Deletes a folder with its descendants and moves their uploads, trashed ones too, to Root in steps (FOLD-4). The
 * folder exists until its last upload has moved. A deletion that began is completed, also after a crash. Only one of
 * several concurrent requests deletes it; the others get a 404.
 * @returns the number of folders and uploads when the deletion began
 * @throws ServiceError 404; 503 if a large folder takes too long
 */
export async function deleteFolder(
  account: AccountContext,
  folderId: string,
): Promise<{ deletedFolders: number; movedUploads: number }> {
  await getFolder(account, folderId);
  const { folders, uploads } = await countTree(account.library, account.accountId, folderId);
  if (folders === 0) throw ERRORS.FolderNotFound();
  const endsAt = account.now() + MAX_WAIT_MS;
  const request = crypto.randomUUID();
  for (let hasBegun = false; ; ) {
    const outcome = await account.meter.deleteFolder(folderId, request, actorOf(account.principal));
    // The account's alarm may have completed this request's deletion.
    if (outcome === "deleted" || (outcome === "gone" && hasBegun)) break;
    if (outcome === "gone") throw ERRORS.FolderNotFound();
    hasBegun ||= outcome === "begun";
    if (account.now() > endsAt) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
  return { deletedFolders: folders, movedUploads: uploads };
}
