import { updateStatus } from "../../db/library/uploads.ts";
import { changedBy } from "../../domain/file-history.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { AccountContext } from "../context.ts";
import { recordChanges } from "../events/record-changes.ts";
import { type ChangedMatches, changeMatches, type MatchSelection } from "./change-matches.ts";

/**
 * Moves uploads to the trash or back (DEL-1). Ids that are unknown, another account's or already there are skipped.
 * @returns how many moved
 */
export async function changeStatus(account: AccountContext, ids: readonly string[], to: UploadStatus): Promise<number> {
  const { library, accountId } = account;
  const change = { from: origin(to), to, within: confinementOf(account) };
  return recordChanges(account, to === "trash" ? "image.trashed" : "image.restored", ids, () =>
    updateStatus(library, accountId, ids, change, changedBy(account)),
  );
}

/**
 * Moves the uploads that match a filter.
 * @throws ServiceError 400, 404, 503: see `changeMatches`
 */
export async function changeStatusOfMatches(
  account: AccountContext,
  { filter, ...selection }: MatchSelection,
  to: UploadStatus,
): Promise<ChangedMatches> {
  const { folderId, status, search } = filter;
  // All matches have the status already.
  if (status === to) return { updated: 0, nextCursor: null };
  // The default folder depends on the status that the client gave.
  const isEveryFolder = status === "all" && search === undefined && confinementOf(account) === undefined;
  const folder = folderId || (isEveryFolder ? "all" : undefined);
  const operation = to === "trash" ? "trashImages" : "restoreImages";
  const matches = { ...selection, filter: { ...filter, folderId: folder, status: origin(to) } };
  return changeMatches(account, operation, matches, (ids) => changeStatus(account, ids, to));
}

/** The status that uploads have before they move to `to`. */
export function origin(to: UploadStatus): UploadStatus {
  return to === "trash" ? "active" : "trash";
}
