import { ConstraintError } from "../../db/constraint-error.ts";
import { folderExists } from "../../db/library/folders.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";

/** Makes sure that a folder is the account's; Root (null) always is. @throws ServiceError 404 */
export async function requireFolder({ library, accountId }: AccountContext, folderId: string | null): Promise<void> {
  if (folderId === null) return;
  if (!isId(folderId) || !(await folderExists(library, accountId, folderId))) throw ERRORS.FolderNotFound();
}

/**
 * Runs a write that puts something into a folder, which may have been deleted since it was looked at.
 * @throws ServiceError 404
 */
export async function refuseLostFolder<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const isLost = error instanceof ConstraintError && error.constraint === "foreign-key";
    throw isLost ? ERRORS.FolderNotFound() : error;
  }
}
