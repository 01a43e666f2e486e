import { MAX_DEPTH, updateFolder as writeFolder } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import type { FolderInput } from "./create-folder.ts";
import { getFolder } from "./get-folder.ts";
import { refuseDuplicate } from "./refuse-duplicate.ts";

/**
 * Renames or moves a folder, or changes its icon. What is not given stays.
 * @throws ServiceError 404 for an unknown folder or parent; 400 for a sibling's name, a parent that is the folder or below
 * it, or too great a depth
 */
export async function updateFolder(
  account: AccountContext,
  folderId: string,
  change: Partial<FolderInput>,
): Promise<FolderWithCount> {
  const { library, accountId } = account;
  const folder = await getFolder(account, folderId);
  if (Object.values(change).every((value) => value === undefined)) return folder;
  if (change.parentId !== undefined && change.parentId !== null) await getFolder(account, change.parentId);
  const changed = await refuseDuplicate(
    writeFolder(library, accountId, folderId, { ...change, updatedAt: account.now() }),
  );
  if (!changed) {
    throw ERRORS.InvalidFolder({
      parentId: `A folder cannot move into itself or below itself, nor deeper than ${MAX_DEPTH} levels`,
    });
  }
  return getFolder(account, folderId);
}
