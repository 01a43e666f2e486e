import { MAX_COUNTED_OPERATIONS } from "../../domain/limits.ts";
import { ThreadShare } from "../../isolate/yield-thread.ts";
import type { LogPosition } from "../views/log-position.ts";
import type { LogFilter, Operation } from "./operation.ts";
import type { OperationLog } from "./operation-log.ts";

/** Operations that are read at a time. Other requests use the object between two steps. */
const STEP = 250;
/** The time of one step, or of counting, on a slow machine. Other requests run between steps. */
const STEP_MS = 15;

export interface LogSlice {
  readonly limit: number;
  /** Operations to skip; at most `MAX_COUNTED_OPERATIONS`. */
  readonly offset: number;
  /** The end of an earlier page. */
  readonly before?: LogPosition | undefined;
}

export interface LogPage {
  readonly operations: readonly Operation[];
  /** The number of operations that match the filter, counted up to `MAX_COUNTED_OPERATIONS`. */
  readonly total: number;
  /** The end of this page; null on the last page. */
  readonly next: LogPosition | null;
}

/**
 * Reads a page of the log, newest first. Each step begins at the end of the step before, so operations that are logged meanwhile do not
 * shift it.
 * @param log called again for each step, because the account may be forgotten between two steps
 */
export async function readLog(
  log: () => OperationLog,
  filter: LogFilter,
  { limit, offset, before }: LogSlice,
): Promise<LogPage> {
  const share = new ThreadShare();
  const operations: Operation[] = [];
  let place = before;
  let walked = 0;
  // The step reads one operation more than the page, which shows whether there is another page.
  const needed = offset + limit + 1;
  let isAtEnd = false;
  while (walked < needed && !isAtEnd) {
    const wanted = Math.min(STEP, needed - walked);
    const step = log().list(wanted, place, filter);
    operations.push(...step.slice(Math.max(0, offset - walked)));
    walked += step.length;
    place = step.at(-1) ?? place;
    isAtEnd = step.length < wanted;
    await share.yieldIfDue(STEP_MS);
  }
  const shown = operations.slice(0, limit);
  const last = operations.length > limit ? shown.at(-1) : undefined;
  const next = last === undefined ? null : { at: last.at, id: last.id };
  if (isAtEnd && before === undefined) return { operations: shown, total: walked, next };
  await share.yieldIfDue(STEP_MS);
  return { operations: shown, total: log().count(MAX_COUNTED_OPERATIONS, filter), next };
}
