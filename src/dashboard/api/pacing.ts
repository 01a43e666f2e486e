import type { Rate } from "./parse-usage.ts";

/** The page prefetches only if at least this number of requests is left in the minute. */
const LEAST_FOR_PREFETCH = 8;
/** Background reads wait if fewer requests than this are left in the minute. */
const LEAST_FOR_READS = 4;
/** The part of the rate that polling may use. */
const SHARE_OF_REPEATS = 1 / 4;

interface Sending {
  readonly isRead: boolean;
  /** The user has just pressed a key or clicked. */
  readonly isAskedFor: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Milliseconds that a request waits for the next minute's rate. Writes never wait: the service answers 429 if it must. */
export function waitBeforeMs(rate: Rate | undefined, { isRead, isAskedFor, now }: Sending): number {
  if (rate === undefined || !isRead || now >= rate.resetAt) return 0;
  const least = isAskedFor ? 1 : LEAST_FOR_READS;
  return rate.remaining >= least ? 0 : rate.resetAt - now;
}

/** Whether the rate has enough requests left for prefetching. */
export function mayPrefetch(rate: Rate | undefined, now: number): boolean {
  return rate === undefined || now >= rate.resetAt || rate.remaining >= LEAST_FOR_PREFETCH;
}

/** The polling interval in milliseconds at which `requests` a poll stay within the polling's part of the rate. */
export function repeatAfterMs(rate: Rate | undefined, requests: number): number {
  return rate === undefined ? 0 : (60_000 * requests) / (rate.limit * SHARE_OF_REPEATS);
}
