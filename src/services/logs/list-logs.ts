import { findFilenames } from "../../db/library/uploads.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import type { LogFilter, Operation } from "../../meter/books/operation.ts";
import type { AccountContext } from "../context.ts";
import { readCursor, toCursor } from "../paging.ts";

/** The age up to which operations are shown (LIM-8). They may be removed later. */
const SHOWN_MS = 90 * DAY_MS;

interface LogQuery extends Omit<LogFilter, "from" | "until"> {
  readonly page: number;
  readonly limit: number;
  /** `nextCursor` of an earlier answer, instead of `page`. */
  readonly cursor?: string | undefined;
  /** Days in UTC, YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface ListedOperation extends Operation {
  /** Null once the upload is deleted. */
  readonly originalFilename: string | null;
}

interface ListedLogs {
  readonly operations: readonly ListedOperation[];
  /** Counted up to `MAX_COUNTED_OPERATIONS`. */
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of the account's operations of the last 90 days, newest first. Each account has its own log, so another
 * account's key finds nothing. The names of the page's uploads take one statement of D1.
 * @throws ServiceError 400 for an invalid cursor
 */
export async function listLogs(account: AccountContext, query: LogQuery): Promise<ListedLogs> {
  const { meter, library, accountId, now } = account;
  const { page, limit, cursor, ...given } = query;
  const { from, to, ...filter } = given;
  const list = { name: "listLogs", accountId, filters: given };
  const place = readCursor<[number, string]>(account, list, cursor);
  const before = place && { at: place[0], id: place[1] };
  const oldestAt = now() - SHOWN_MS;
  const { operations, total, next } = await meter.listOperations(
    {
      ...filter,
      from: from === undefined ? oldestAt : Math.max(oldestAt, Date.parse(from)),
      until: to === undefined ? undefined : Date.parse(to) + DAY_MS,
    },
    { limit, offset: (page - 1) * limit, before },
  );
  const ids = new Set(operations.map(({ resourceId }) => resourceId));
  const names = await findFilenames(library, accountId, [...ids]);
  return {
    operations: operations.map((operation) => ({
      ...operation,
      originalFilename: names.get(operation.resourceId) ?? null,
    })),
    total,
    nextCursor: next === null ? null : toCursor(account, list, [next.at, next.id]),
  };
}
