import { MAX_COUNTED_OPERATIONS } from "../domain/limits.ts";
import { ThreadShare } from "../isolate/yield-thread.ts";
import type { LogPosition } from "./newest-views.ts";
import type { LogFilter, Operation, OperationLog } from "./operation-log.ts";

/** The operations that are read at a time: others have the object between two steps. */
const STEP = 250;
/** What a step, and counting, may take on a slow machine: others come after each. */
const STEP_MS = 15;

export interface LogSlice {
  readonly limit: number;
  /** So many are passed over; at most `MAX_COUNTED_OPERATIONS`. */
  readonly offset: number;
  /** Where an earlier page ended. */
  readonly before?: LogPosition | undefined;
}

export interface LogPage {
  readonly operations: readonly Operation[];
  /** Of all that the filter lets through, counted up to `MAX_COUNTED_OPERATIONS`. */
  readonly total: number;
  /** Where the page ends; null where it is the last one. */
  readonly next: LogPosition | null;
}

/**
 * A page of the log, newest first. Steps begin where the one before ended, so what is logged meanwhile moves nothing.
 * @param log asked for anew for every step, as the account may be forgotten between two of them
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
  // One more than is shown says whether there is another page.
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
