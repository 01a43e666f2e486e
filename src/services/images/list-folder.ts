import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { resolveFolder } from "../folders/resolve-folder.ts";

/**
 * The folder of a listing's parameter (LIST-3). If it is absent: Root for active uploads without a search, else every folder. A confined
 * key lists one folder at a time, by default its own (AUTH-13).
 * @param folderId a folder's id, `root` or `all`; empty counts as absent
 * @returns an id, null for Root, undefined for every folder
 * @throws ServiceError 404 if it is not an id; for a confined key, 403 for every folder, 404 for a folder outside
 */
export async function readListFolder(
  account: AccountContext,
  folderId: string | undefined,
  { status, isSearch = false }: { readonly status: UploadFilter["status"]; readonly isSearch?: boolean },
): Promise<string | null | undefined> {
  if (confinementOf(account) !== undefined) {
    if (folderId === "all") throw ERRORS.KeyConfined();
    return resolveFolder(account, folderId === "root" ? null : folderId || null);
  }
  const folder = folderId || (status === "active" && !isSearch ? "root" : "all");
  if (folder === "root") return null;
  if (folder === "all") return undefined;
  if (!isId(folder)) throw ERRORS.FolderNotFound();
  return folder;
}
