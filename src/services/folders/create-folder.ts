import { ConstraintError } from "../../db/constraint-error.ts";
import { countFolders, insertFolder, MAX_DEPTH } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { MAX_FOLDERS } from "../../domain/limits.ts";
import { rootOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { getFolder } from "./read-folders.ts";
import { refuseDuplicate } from "./refuse-duplicate.ts";

export interface FolderInput {
  readonly name: string;
  /** Null is Root. */
  readonly parentId: string | null;
  readonly icon: string | null;
}

/**
 * @throws ServiceError 404 for an unknown parent; 400 for a sibling's name, too many folders or too great a depth
 * (FOLD-1, FOLD-5); 401 if the account is gone
 */
export async function createFolder(account: AccountContext, given: FolderInput): Promise<FolderWithCount> {
  const { library, accountId } = account;
  const input = { ...given, parentId: given.parentId ?? rootOf(account) };
  if (input.parentId !== null) await getFolder(account, input.parentId);
  if ((await countFolders(library, accountId)) >= MAX_FOLDERS) throw ERRORS.TooManyOf("folders", MAX_FOLDERS);
  const now = account.now();
  const folder = { ...input, id: newId(now), accountId, createdAt: now, updatedAt: now };
  const inserted = await refuseDuplicate(insertFolder(library, folder)).catch((error: unknown) => {
    // The insert checks the parent, so the missing row is the library's.
    const isErased = error instanceof ConstraintError && error.constraint === "foreign-key";
    throw isErased ? ERRORS.InvalidKey() : error;
  });
  if (!inserted) throw ERRORS.InvalidFolder({ parentId: `Folders nest at most ${MAX_DEPTH} deep` });
  return { ...folder, itemCount: 0 };
}
