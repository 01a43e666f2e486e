import { listFolders as queryFolders } from "../../db/library/folders.ts";
import type { FolderWithCount } from "../../db/library/schema.ts";
import type { AccountContext } from "../context.ts";

/** All folders of the account, flat, by name. */
export async function listFolders({ library, accountId }: AccountContext): Promise<FolderWithCount[]> {
  return queryFolders(library, accountId);
}
