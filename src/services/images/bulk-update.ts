import { updateUploads } from "../../db/library/update-uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import { changedBy } from "../../domain/file-history.ts";
import { confinementOf } from "../../domain/principal.ts";
import { MAX_TAGS, normalizeTags } from "../../domain/tags.ts";
import type { AccountContext } from "../context.ts";
import { recordChanges } from "../events/record-changes.ts";
import { refuseLostFolder, resolveFolder } from "../folders/resolve-folder.ts";
import { type ChangedMatches, changeMatches, type MatchSelection } from "./change-matches.ts";

export interface BulkChange {
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  readonly favorite?: boolean | undefined;
}

/**
 * Moves, tags or marks active or trashed uploads, all or none. Ids that are not the account's are skipped.
 * @returns how many changed
 * @throws ServiceError 400 for malformed tags, a tag that is both added and removed, or an upload with too many tags;
 * 404 for the folder
 */
export async function bulkUpdate(account: AccountContext, ids: readonly string[], given: BulkChange): Promise<number> {
  return applyChange(account, ids, await readChange(account, given));
}

/**
 * Does the same for the uploads that match a filter, a thousand at a time. If one would have too many tags, earlier thousands stay changed,
 * and `details.updated` is their number.
 * @throws ServiceError 400, 404, 503: see `changeMatches`
 */
export async function updateMatches(
  account: AccountContext,
  selection: MatchSelection,
  given: BulkChange,
): Promise<ChangedMatches> {
  const change = await readChange(account, given);
  return changeMatches(account, "updateImages", selection, (ids, updated) =>
    applyChange(account, ids, change, { updated }),
  );
}

/** @throws ServiceError 400, 404 */
async function readChange(account: AccountContext, { favorite, ...given }: BulkChange): Promise<BulkChange> {
  const addTags = normalizeTags(given.addTags ?? [], "addTags");
  const removeTags = normalizeTags(given.removeTags ?? [], "removeTags");
  if (addTags.some((tag) => removeTags.includes(tag))) {
    throw ERRORS.InvalidRequest({ addTags: "A tag cannot be both added and removed" });
  }
  const folderId = given.folderId === undefined ? undefined : await resolveFolder(account, given.folderId);
  return { folderId, addTags, removeTags, favorite };
}

/** @param soFar added to the error's details */
async function applyChange(
  account: AccountContext,
  ids: readonly string[],
  change: BulkChange,
  soFar: { readonly updated?: number } = {},
): Promise<number> {
  const { library, accountId } = account;
  const within = confinementOf(account);
  const updated = await recordChanges(account, "image.updated", ids, () =>
    refuseLostFolder(updateUploads(library, accountId, ids, change, changedBy(account), { within })),
  );
  if (updated === undefined) {
    throw ERRORS.InvalidRequest({ addTags: `An upload has at most ${MAX_TAGS} tags`, ...soFar });
  }
  return updated;
}
