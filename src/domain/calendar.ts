import type { TierName } from "./tiers.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Period {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The fixed one-minute window that contains `now`. */
export function minuteWindow(now: number): Period {
  const startsAt = now - (now % MINUTE_MS);
  return { startsAt, endsAt: startsAt + MINUTE_MS };
}

/**
 * The day of the month on which the operations reset (LIM-5): the 1st for Free, else the day on which the paid tier
 * began.
 */
export function resetDay(tier: TierName, billingAnchorAt: number | null): number {
  return tier === "free" || billingAnchorAt === null ? 1 : new Date(billingAnchorAt).getUTCDate();
}

/**
 * The billing month that contains `now`. In a month without the reset day (31 in April) the reset is on its last day.
 */
export function billingMonth(now: number, day: number): Period {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const thisMonths = resetAt(year, month, day);
  return now < thisMonths
    ? { startsAt: resetAt(year, month - 1, day), endsAt: thisMonths }
    : { startsAt: thisMonths, endsAt: resetAt(year, month + 1, day) };
}

/**
 * The time at which a count that began at `startedAt` (a midnight) resets: the first reset day that is at least a whole month later. After
 * a change of tier this is within two months, and switching back and forth does not bring it nearer (LIM-5).
 */
export function nextResetAt(startedAt: number, day: number): number {
  const date = new Date(startedAt);
  const monthLater = resetAt(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  const { startsAt, endsAt } = billingMonth(monthLater, day);
  return startsAt === monthLater ? startsAt : endsAt;
}

/** Days from the epoch until `at`. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** A day's number as YYYY-MM-DD. */
export function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a YYYY-MM-DD is a day: `Date.parse` takes 30 February for 2 March. */
export function isDay(date: string): boolean {
  const at = Date.parse(date);
  return !Number.isNaN(at) && toDate(dayOf(at)) === date;
}

function resetAt(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}

/** Whole seconds from `now` until `at`, at least 1, for a `Retry-After` header (RFC 9110, 10.2.3). */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}
