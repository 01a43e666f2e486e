import { ConstraintError } from "../../db/constraint-error.ts";
import { folderExists, isInTree } from "../../db/library/folders.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { confinementOf, rootOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";

/**
 * A folder that the caller names. Root (null) always exists; for a confined key it is the key's folder.
 * @returns the folder as it is stored
 * @throws ServiceError 404 if the folder is not the account's, or outside the folder of a confined key
 */
export async function resolveFolder(account: AccountContext, named: string | null): Promise<string | null> {
  const { library, accountId } = account;
  const root = rootOf(account);
  const folderId = named ?? root;
  if (folderId === null) return null;
  const isReached =
    isId(folderId) &&
    (root === null ? await folderExists(library, accountId, folderId) : await reachesFolder(account, folderId));
  if (!isReached) throw ERRORS.FolderNotFound();
  return folderId;
}

/** Runs a write that puts something into a folder, because the folder may have been deleted since it was checked. @throws ServiceError 404 */
export async function refuseLostFolder<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const isLost = error instanceof ConstraintError && error.constraint === "foreign-key";
    throw isLost ? ERRORS.FolderNotFound() : error;
  }
}

/** Whether the caller reaches a folder (null is the library's Root). Asks the library only for a confined key. */
export async function reachesFolder(account: AccountContext, folderId: string | null): Promise<boolean> {
  const root = confinementOf(account);
  if (root === undefined) return true;
  return folderId !== null && isInTree(account.library, account.accountId, root, folderId);
}
