import { walkMatches } from "../../db/listing/walk-matches.ts";
import { ERRORS } from "../../domain/errors.ts";
import { MAX_IDS, MAX_MATCHES_CHANGED } from "../../domain/limits.ts";
import type { AccountContext } from "../context.ts";
import { requireFolder } from "../folders/require-folder.ts";
import { readCursor, toCursor } from "./list-cursor.ts";
import { takeListingTurn } from "./list-turns.ts";
import { type ListFilter, toUploadFilter } from "./upload-filter.ts";

/** A call that takes longer answers with a cursor: others who wait for the account's turn wait for ten seconds. */
const MAX_MS = 8000;

export interface MatchSelection {
  readonly filter: ListFilter;
  /** Which of those that match stay as they are. */
  readonly exceptIds?: readonly string[] | undefined;
  /** As an earlier answer told it. */
  readonly cursor?: string | undefined;
}

export interface ChangedMatches {
  /** How many really changed. */
  readonly updated: number;
  /** Null where none is left. */
  readonly nextCursor: string | null;
}

/**
 * Changes the uploads that a filter lets through, newest first, a thousand at a time, each thousand all or none; at most 10,000 a call.
 * What is done again after a lost answer, or after a crash between two steps, finds those that are changed already and does not count them.
 * @param change what is done to some of them, and how many of those really changed
 * @throws ServiceError 400 for a cursor that no answer told, 404 for the folder, 503 where too many others of the account are under way
 */
export async function changeMatches(
  account: AccountContext,
  { filter: given, exceptIds = [], cursor }: MatchSelection,
  change: (ids: readonly string[], updatedBefore: number) => Promise<number>,
): Promise<ChangedMatches> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && after === undefined) throw ERRORS.InvalidRequest({ cursor: "Not a cursor of a change" });
  const filter = toUploadFilter(account, given);
  if (typeof filter.folderId === "string") await requireFolder(account, filter.folderId);
  const { minSizeBytes = 0, maxSizeBytes = Number.POSITIVE_INFINITY } = filter;
  if (minSizeBytes > maxSizeBytes) return { updated: 0, nextCursor: null };
  const { library, accountId, now } = account;
  const excepted = new Set(exceptIds);
  return takeListingTurn(account, async () => {
    const endsAt = now() + MAX_MS;
    let [matched, updated] = [0, 0];
    for await (const { ids, next } of walkMatches({ library, accountId, filter }, after, MAX_IDS)) {
      const wanted = ids.filter((id) => !excepted.has(id));
      if (wanted.length > 0) updated += await change(wanted, updated);
      matched += ids.length;
      const isOver = matched + MAX_IDS > MAX_MATCHES_CHANGED || now() > endsAt;
      if (isOver && next !== undefined) return { updated, nextCursor: toCursor(next) };
    }
    return { updated, nextCursor: null };
  });
}
