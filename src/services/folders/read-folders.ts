import { findFolder, listFolders as queryFolders } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";
import { reachesFolder } from "./resolve-folder.ts";

/** The account's folders, flat, by name. A confined key gets its folder as a folder of Root, and the folders below it. */
export async function listFolders(account: AccountContext, query: PageQuery): Promise<Page<FolderWithCount>> {
  const { library, accountId } = account;
  const root = confinementOf(account);
  const { rows, nextCursor } = await readPage(account, query, {
    list: { name: "listFolders", accountId, filters: { root } },
    read: (after: [name: string, id: string] | undefined, limit) =>
      queryFolders(library, accountId, { root, after, limit }),
    positionOf: ({ name, id }) => [name, id],
  });
  return { rows: rows.map((folder) => (folder.id === root ? { ...folder, parentId: null } : folder)), nextCursor };
}

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
