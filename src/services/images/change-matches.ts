import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { walkMatches } from "../../db/listing/walk-matches.ts";
import { MAX_IDS, MAX_MATCHES_CHANGED } from "../../domain/limits.ts";
import type { AccountContext } from "../context.ts";
import { resolveFolder } from "../folders/resolve-folder.ts";
import { readCursor, toCursor } from "../paging.ts";
import { takeListingTurn } from "./list-turns.ts";
import { type ListFilter, toUploadFilter } from "./upload-filter.ts";

/** The time after which a call returns a cursor, because other requests wait ten seconds for the account's turn. */
const MAX_MS = 8000;

export interface MatchSelection {
  readonly filter: ListFilter;
  /** Matches that stay unchanged. */
  readonly exceptIds?: readonly string[] | undefined;
  /** `nextCursor` of an earlier answer. */
  readonly cursor?: string | undefined;
}

export interface ChangedMatches {
  /** Uploads that changed. */
  readonly updated: number;
  /** Null if no match is left. */
  readonly nextCursor: string | null;
}

/**
 * Changes the uploads that match a filter, newest first, a thousand at a time, each thousand all or none; at most 10,000 in a call. If a
 * call is repeated after a lost answer or a crash, uploads that are changed already are not counted again.
 * @param operation the operation's id: a cursor of another operation is refused
 * @param change changes the given uploads and returns how many changed
 * @throws ServiceError 400 for an invalid cursor, 404 for the folder, 503 if too many requests of the account wait
 */
export async function changeMatches(
  account: AccountContext,
  operation: string,
  { filter: given, exceptIds = [], cursor }: MatchSelection,
  change: (ids: readonly string[], updatedBefore: number) => Promise<number>,
): Promise<ChangedMatches> {
  const { filter, after, toCursor } = await readSelection(account, operation, { filter: given, cursor });
  if (filter === undefined) return { updated: 0, nextCursor: null };
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

interface ReadSelection {
  /** Undefined if nothing can match. */
  readonly filter: UploadFilter | undefined;
  /** The position after which the matches begin. */
  readonly after: string | undefined;
  toCursor(position: string): string;
}

/**
 * @param operation as in `changeMatches`
 * @throws ServiceError 400 for an invalid cursor, 404 for the folder
 */
export async function readSelection(
  account: AccountContext,
  operation: string,
  { filter: given, cursor }: MatchSelection,
): Promise<ReadSelection> {
  const list = { name: operation, accountId: account.accountId, filters: given };
  const [after] = readCursor<[string]>(account, list, cursor) ?? [];
  const filter = await toUploadFilter(account, given);
  if (typeof filter.folderId === "string") await resolveFolder(account, filter.folderId);
  const { minSizeBytes = 0, maxSizeBytes = Number.POSITIVE_INFINITY } = filter;
  return {
    filter: minSizeBytes > maxSizeBytes ? undefined : filter,
    after,
    toCursor: (position) => toCursor(account, list, [position]),
  };
}
