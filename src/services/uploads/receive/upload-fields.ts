import { folderExists } from "../../../db/library/folders.ts";
import { ERRORS } from "../../../domain/errors.ts";
import { isId } from "../../../domain/ids.ts";
import { normalizeTags } from "../../../domain/tags.ts";
import type { AccountContext } from "../../context.ts";

/** What a request says about its uploads; it holds for every file of it, and may come before or behind them. */
export interface UploadFields {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
}

export const NO_FIELDS: UploadFields = { folderId: null, tags: [] };

/** The same as a client sends it; several values of `tags` add up. */
export interface UploadFieldTexts {
  readonly folderId?: string | undefined;
  readonly tags?: string | undefined;
}

/**
 * Adds what a client says about its uploads to what it has said before.
 * @throws ServiceError 400 for a malformed value, 404 for a folder that the account does not have
 */
export async function addFields(
  { library, accountId }: AccountContext,
  fields: UploadFields,
  said: UploadFieldTexts,
): Promise<UploadFields> {
  const tags = said.tags === undefined ? fields.tags : normalizeTags([...fields.tags, ...said.tags.split(",")]);
  if (said.folderId === undefined) return { ...fields, tags };
  const folderId = said.folderId.trim();
  if (folderId === "" || folderId === "root") return { folderId: null, tags };
  if (!isId(folderId) || !(await folderExists(library, accountId, folderId))) throw ERRORS.FolderNotFound();
  return { folderId, tags };
}
