import { updateStatus } from "../../db/library/uploads.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { AccountContext } from "../context.ts";
import { type ChangedMatches, changeMatches, type MatchSelection } from "./change-matches.ts";

/**
 * Moves uploads to the trash or back. Ids that are unknown, another account's or already there are passed over.
 * @returns how many really moved
 */
export async function changeStatus(
  { library, accountId }: AccountContext,
  ids: readonly string[],
  to: UploadStatus,
): Promise<number> {
  return updateStatus(library, accountId, ids, { from: origin(to), to });
}

/**
 * Moves those that a filter lets through.
 * @throws ServiceError 400, 404, 503: see `changeMatches`
 */
export async function changeStatusOfMatches(
  account: AccountContext,
  { filter, ...selection }: MatchSelection,
  to: UploadStatus,
): Promise<ChangedMatches> {
  const { folderId, status, search } = filter;
  // All of them are there already.
  if (status === to) return { updated: 0, nextCursor: null };
  // Which folder is meant depends on the status that the client gave.
  const folder = folderId || (status === "all" && search === undefined ? "all" : undefined);
  return changeMatches(account, { ...selection, filter: { ...filter, folderId: folder, status: origin(to) } }, (ids) =>
    changeStatus(account, ids, to),
  );
}

/** Where an upload is that can be moved there. */
export function origin(to: UploadStatus): UploadStatus {
  return to === "trash" ? "active" : "trash";
}
