import type { Rate } from "./parse-usage.ts";

/** With fewer requests left in the minute than this, nothing is fetched ahead of need. */
const LEAST_FOR_PREFETCH = 8;
/** With fewer than this, only what the user asked for goes. */
const LEAST_FOR_READS = 4;
/** What the page asks for again by itself while other requests go takes so much of the rate. */
const SHARE_OF_REPEATS = 1 / 4;

export interface Sending {
  readonly isRead: boolean;
  /** The user pressed or clicked something just now. */
  readonly isAskedFor: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How many milliseconds a request waits for the next minute's rate. Changes never wait: the service says so if they have to. */
export function waitBeforeMs(rate: Rate | undefined, { isRead, isAskedFor, now }: Sending): number {
  if (rate === undefined || !isRead || now >= rate.resetAt) return 0;
  const least = isAskedFor ? 1 : LEAST_FOR_READS;
  return rate.remaining >= least ? 0 : rate.resetAt - now;
}

/** Whether there is rate to spare for what may be wanted next. */
export function mayPrefetch(rate: Rate | undefined, now: number): boolean {
  return rate === undefined || now >= rate.resetAt || rate.remaining >= LEAST_FOR_PREFETCH;
}

/** How many milliseconds lie between two times that the page asks for something again by itself, so that it leaves the rate to others. */
export function repeatAfterMs(rate: Rate | undefined, requests: number): number {
  return rate === undefined ? 0 : (60_000 * requests) / (rate.limit * SHARE_OF_REPEATS);
}
