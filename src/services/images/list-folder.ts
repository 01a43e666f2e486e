import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";

/**
 * The folder that a listing's parameter names. Without one: Root for active uploads that are not searched, else every folder.
 * @param folderId a folder's id, `root` or `all`; empty counts as absent
 * @returns an id, null for Root, undefined for every folder
 * @throws ServiceError 404 for what is no id
 */
export function readListFolder(
  folderId: string | undefined,
  { status, isSearch = false }: { readonly status: UploadFilter["status"]; readonly isSearch?: boolean },
): string | null | undefined {
  const folder = folderId || (status === "active" && !isSearch ? "root" : "all");
  if (folder === "root") return null;
  if (folder === "all") return undefined;
  if (!isId(folder)) throw ERRORS.FolderNotFound();
  return folder;
}
