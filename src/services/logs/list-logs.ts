import { findFilenames } from "../../db/library/uploads.ts";
import { fromBase64Url, toBase64Url } from "../../domain/base64url.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { LogFilter, Operation } from "../../meter/books/operation.ts";
import type { LogPosition } from "../../meter/views/log-position.ts";
import type { AccountContext } from "../context.ts";

/** A decoded cursor: time and id of the last operation shown. Opaque to clients. */
const CURSOR = /^1\.(\d{1,15})\.([0-9A-Za-z:_-]{1,100})$/;
const MAX_CURSOR_CHARACTERS = 200;

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
export async function listLogs(
  { meter, library, accountId, now }: AccountContext,
  query: LogQuery,
): Promise<ListedLogs> {
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
  const ids = new Set(operations.map(({ resourceId }) => resourceId));
  const names = await findFilenames(library, accountId, [...ids]);
  return {
    operations: operations.map((operation) => ({
      ...operation,
      originalFilename: names.get(operation.resourceId) ?? null,
    })),
    total,
    nextCursor: next === null ? null : toLogCursor(next),
  };
}

function toLogCursor({ at, id }: LogPosition): string {
  return toBase64Url(`1.${at}.${id}`);
}

/** @returns the position; undefined if `cursor` is invalid */
function readLogCursor(cursor: string): LogPosition | undefined {
  if (cursor.length > MAX_CURSOR_CHARACTERS) return undefined;
  const [, at, id] = CURSOR.exec(fromBase64Url(cursor) ?? "") ?? [];
  if (at === undefined || id === undefined) return undefined;
  const place = { at: Number(at), id };
  return toLogCursor(place) === cursor ? place : undefined;
}
