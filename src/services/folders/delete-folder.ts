import { deleteFolderTree } from "../../db/queries/folders.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import { getFolder } from "./get-folder.ts";

/**
 * Deletes a folder with its descendants; the uploads in them move to Root, trashed ones too.
 * @throws ServiceError 404
 */
export async function deleteFolder(
  account: AccountContext,
  folderId: string,
): Promise<{ deletedFolders: number; movedUploads: number }> {
  await getFolder(account, folderId);
  const result = await deleteFolderTree(account.db, account.accountId, folderId);
  if (result.deletedFolders === 0) throw ERRORS.FolderNotFound();
  return result;
}
