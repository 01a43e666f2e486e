import { MAX_DEPTH, updateFolder as writeFolder } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { rootOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import type { FolderInput } from "./create-folder.ts";
import { getFolder } from "./read-folders.ts";
import { refuseDuplicate } from "./refuse-duplicate.ts";

/**
 * Renames or moves a folder, or changes its icon. Absent fields stay.
 * @throws ServiceError 404 for an unknown folder or parent; 400 for a sibling's name, a parent that is the folder or a
 * descendant, or too great a depth (FOLD-5); 403 for a confined key's own folder
 */
export async function updateFolder(
  account: AccountContext,
  folderId: string,
  given: Partial<FolderInput>,
): Promise<FolderWithCount> {
  const { library, accountId } = account;
  if (folderId === rootOf(account)) throw ERRORS.KeyConfined();
  const folder = await getFolder(account, folderId);
  const change = given.parentId === null ? { ...given, parentId: rootOf(account) } : given;
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
