import type { TierName } from "./tiers.ts";

/** All times are milliseconds since the epoch, all calendar days UTC. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export interface Period {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The fixed one-minute window that `now` falls in. */
export function minuteWindow(now: number): Period {
  const startsAt = now - (now % MINUTE_MS);
  return { startsAt, endsAt: startsAt + MINUTE_MS };
}

/**
 * The day of the month on which an account's operations start again (specification, Operations): the 1st for Free, else
 * the day on which the paid tier began.
 */
export function resetDay(tier: TierName, billingAnchorAt: number | null): number {
  return tier === "free" || billingAnchorAt === null ? 1 : new Date(billingAnchorAt).getUTCDate();
}

/**
 * The billing month that `now` falls in. A reset day that a month does not have (31 in April) is that month's last day.
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
 * When a count that began at `startedAt`, a midnight, starts again: on the first reset day that is a whole month later, or more. Where the
 * day has not changed, that is the next one. After a change of tier it lies within two months, and no switching back and forth
 * brings it nearer.
 */
export function nextResetAt(startedAt: number, day: number): number {
  const date = new Date(startedAt);
  const monthLater = resetAt(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  const { startsAt, endsAt } = billingMonth(monthLater, day);
  return startsAt === monthLater ? startsAt : endsAt;
}

/** The number of the day that `at` falls on, counted from the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** A day's number as YYYY-MM-DD. */
export function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function resetAt(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}

/** Whole seconds from `now` until `at`, at least 1: what a `Retry-After` header says (RFC 9110, 10.2.3). */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}
