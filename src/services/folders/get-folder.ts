import { findFolder } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";

/** A folder of the account. @throws ServiceError 404, for another account's too */
export async function getFolder({ library, accountId }: AccountContext, folderId: string): Promise<FolderWithCount> {
  const folder = isId(folderId) ? await findFolder(library, accountId, folderId) : undefined;
  if (folder === undefined) throw ERRORS.FolderNotFound();
  return folder;
}
