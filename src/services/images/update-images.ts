import { updateUploads } from "../../db/library/update-uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import { MAX_TAGS, normalizeTags } from "../../domain/tags.ts";
import type { AccountContext } from "../context.ts";
import { refuseLostFolder, requireFolder } from "../folders/require-folder.ts";
import { type ChangedMatches, changeMatches, type MatchSelection } from "./change-matches.ts";

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
  given: BulkChange,
): Promise<number> {
  return applyChange(account, ids, await readChange(account, given));
}

/**
 * The same with those that a filter lets through, a thousand at a time: where one would have too many tags, those before it stay changed,
 * and `details.updated` says how many.
 * @throws ServiceError 400, 404, 503: see `changeMatches`
 */
export async function updateMatches(
  account: AccountContext,
  selection: MatchSelection,
  given: BulkChange,
): Promise<ChangedMatches> {
  const change = await readChange(account, given);
  return changeMatches(account, selection, (ids, updated) => applyChange(account, ids, change, { updated }));
}

/** @throws ServiceError 400, 404 */
async function readChange(account: AccountContext, { folderId, favorite, ...given }: BulkChange): Promise<BulkChange> {
  const addTags = normalizeTags(given.addTags ?? [], "addTags");
  const removeTags = normalizeTags(given.removeTags ?? [], "removeTags");
  if (addTags.some((tag) => removeTags.includes(tag))) {
    throw ERRORS.InvalidRequest({ addTags: "A tag cannot be added and removed at once" });
  }
  if (folderId !== undefined) await requireFolder(account, folderId);
  return { folderId, addTags, removeTags, favorite };
}

/** @param soFar what the error's details say beside its cause */
async function applyChange(
  { library, accountId }: AccountContext,
  ids: readonly string[],
  change: BulkChange,
  soFar: { readonly updated?: number } = {},
): Promise<number> {
  const updated = await refuseLostFolder(updateUploads(library, accountId, ids, change));
  if (updated === undefined) {
    throw ERRORS.InvalidRequest({ addTags: `An upload has at most ${MAX_TAGS} tags`, ...soFar });
  }
  return updated;
}
