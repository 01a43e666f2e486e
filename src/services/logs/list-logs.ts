import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { LogFilter, Operation } from "../../meter/operation-log.ts";
import type { AccountContext } from "../context.ts";
import { readLogCursor, toLogCursor } from "./log-cursor.ts";

/** How long an operation is shown; until it is removed it may take a while longer. */
const SHOWN_MS = 90 * DAY_MS;

export interface LogQuery extends Omit<LogFilter, "from" | "until"> {
  readonly page: number;
  readonly limit: number;
  /** As an earlier answer told it; in place of `page`. */
  readonly cursor?: string | undefined;
  /** Whole days, YYYY-MM-DD, UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ListedLogs {
  readonly operations: readonly Operation[];
  /** Counted up to `MAX_COUNTED_OPERATIONS`. */
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of the account's operations of the last 90 days, newest first. The log is the account's own, so another account's key finds
 * nothing in it.
 * @throws ServiceError 400 for a cursor that no answer told
 */
export async function listLogs({ meter, now }: AccountContext, query: LogQuery): Promise<ListedLogs> {
  const { page, limit, cursor, from, to, ...filter } = query;
  const before = cursor === undefined ? undefined : readLogCursor(cursor);
  if (cursor !== undefined && before === undefined) throw ERRORS.InvalidQuery({ cursor: "Not a cursor of the log" });
  const oldestAt = now() - SHOWN_MS;
  const { operations, total, next } = await meter.listOperations(
    {
      ...filter,
      from: from === undefined ? oldestAt : Math.max(oldestAt, Date.parse(from)),
      until: to === undefined ? undefined : Date.parse(to) + DAY_MS,
    },
    { limit, offset: (page - 1) * limit, before },
  );
  return { operations, total, nextCursor: next === null ? null : toLogCursor(next) };
}
