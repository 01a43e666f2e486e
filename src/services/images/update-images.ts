import { updateUploads } from "../../db/library/update-uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import { MAX_TAGS, normalizeTags } from "../../domain/tags.ts";
import type { AccountContext } from "../context.ts";
import { refuseLostFolder, requireFolder } from "../folders/require-folder.ts";

export interface BulkChange {
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  readonly favorite?: boolean | undefined;
}

/**
 * Moves, tags or marks many uploads, active or trashed, all or none. Ids that are not the account's are passed over.
 * @returns how many really changed
 * @throws ServiceError 400 for malformed tags, for a tag to add and to remove, and where an
 * upload would have too many; 404 for the folder
 */
export async function updateImages(
  account: AccountContext,
  ids: readonly string[],
  change: BulkChange,
): Promise<number> {
  const { folderId, favorite } = change;
  const addTags = normalizeTags(change.addTags ?? [], "addTags");
  const removeTags = normalizeTags(change.removeTags ?? [], "removeTags");
  if (addTags.some((tag) => removeTags.includes(tag))) {
    throw ERRORS.InvalidRequest({ addTags: "A tag cannot be added and removed at once" });
  }
  if (folderId !== undefined) await requireFolder(account, folderId);
  const updated = await refuseLostFolder(
    updateUploads(account.library, account.accountId, ids, { folderId, addTags, removeTags, favorite }),
  );
  if (updated === undefined) throw ERRORS.InvalidRequest({ addTags: `An upload has at most ${MAX_TAGS} tags` });
  return updated;
}
