import { folderExists } from "../../db/queries/folders.ts";
import { listUploads } from "../../db/queries/uploads.ts";
import type { Upload } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { AccountContext } from "../context.ts";

export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly status: UploadStatus | "all";
  /** A folder's id, `root` or `all`. */
  readonly folderId?: string | undefined;
}

/**
 * One page of the account's uploads, newest first. Without a folder: Root for active ones, else every folder.
 * @throws ServiceError 404 for a folder that the account does not have
 */
export async function listImages(
  { db, accountId }: AccountContext,
  { page, limit, status, folderId }: ListQuery,
): Promise<{ rows: Upload[]; total: number }> {
  // `?folderId=` has no value either.
  const folder = folderId || (status === "active" ? "root" : "all");
  if (folder !== "root" && folder !== "all") {
    if (!isId(folder) || !(await folderExists(db, accountId, folder))) throw ERRORS.FolderNotFound();
  }
  return listUploads(
    db,
    accountId,
    { status, folderId: folder === "root" ? null : folder === "all" ? undefined : folder },
    { limit, offset: (page - 1) * limit },
  );
}
