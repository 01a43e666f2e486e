import { and, eq } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { folders } from "../library/schema.ts";
import type { Place } from "./walk-sql.ts";

/** The folder of a listing, beside which it is read. No row where there is no such folder; Root and "every folder" are none. */
export function findFolder(library: Library, { accountId, folderId }: Place) {
  return library
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId ?? "")));
}
