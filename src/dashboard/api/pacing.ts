import type { Rate } from "./parse-usage.ts";

/** With fewer requests left in the minute than this, nothing is fetched ahead of need. */
const LEAST_FOR_PREFETCH = 8;
/** With fewer than this, only what the user asked for goes. */
const LEAST_FOR_READS = 4;

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
