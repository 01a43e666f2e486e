import { countTree } from "../../db/library/folders.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import { getFolder } from "./get-folder.ts";

/** How long a request waits for a large folder. The account's alarm goes on after that. */
const MAX_WAIT_MS = 25_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Deletes a folder with its descendants; the uploads in them move to Root, trashed ones too, in steps: until the last one has
 * moved the folder is there, and holds the rest. What was begun is finished, also after a crash.
 * @returns how many folders and uploads that were when it began
 * @throws ServiceError 404; 503 where the folder is so large that it takes longer
 */
export async function deleteFolder(
  account: AccountContext,
  folderId: string,
): Promise<{ deletedFolders: number; movedUploads: number }> {
  await getFolder(account, folderId);
  const { folders, uploads } = await countTree(account.library, account.accountId, folderId);
  if (folders === 0) throw ERRORS.FolderNotFound();
  const endsAt = account.now() + MAX_WAIT_MS;
  while (!(await account.meter.deleteFolder(folderId))) {
    if (account.now() > endsAt) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
  return { deletedFolders: folders, movedUploads: uploads };
}
