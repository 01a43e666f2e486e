import { listFolders as queryFolders } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";

/** All folders of the account, flat, by name. A confined key gets its folder as a folder of Root, and the folders below it. */
export async function listFolders(account: AccountContext): Promise<FolderWithCount[]> {
  const root = confinementOf(account);
  const folders = await queryFolders(account.library, account.accountId, root);
  return folders.map((folder) => (folder.id === root ? { ...folder, parentId: null } : folder));
}
