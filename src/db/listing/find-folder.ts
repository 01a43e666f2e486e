import { and, eq } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { folders } from "../library/schema.ts";
import type { WalkPlace } from "./walk-sql.ts";

/** Selects a listing's folder. The result has no row if the folder does not exist, and for Root and "every folder". */
export function findFolder(library: Library, { accountId, folderId }: WalkPlace) {
  return library
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId ?? "")));
}
