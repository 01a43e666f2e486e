import { findFolder } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";
import { reachesFolder } from "./resolve-folder.ts";

/**
 * A folder of the account.
 * @throws ServiceError 404, also for another account's folder, and for one that a confined key does not reach
 */
export async function getFolder(account: AccountContext, folderId: string): Promise<FolderWithCount> {
  const { library, accountId } = account;
  const isReached = isId(folderId) && (await reachesFolder(account, folderId));
  const folder = isReached ? await findFolder(library, accountId, folderId) : undefined;
  if (folder === undefined) throw ERRORS.FolderNotFound();
  return folder;
}
