import { DAY_MS, MINUTE_MS } from "./calendar.ts";
import type { TierName } from "./tiers.ts";

/** What happened in an account (EVENT-1). */
export const EVENT_TYPES = [
  "upload.completed",
  "thumbnail.ready",
  "thumbnail.failed",
  "image.updated",
  "image.trashed",
  "image.restored",
  "image.deleted",
  "import.finished",
  "usage.alert",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Changes that only D1 has. A request announces them before it makes them. */
export const CHANGE_EVENTS = ["image.updated", "image.trashed", "image.restored", "thumbnail.failed"] as const;
export type ChangeEvent = (typeof CHANGE_EVENTS)[number];

/** Webhooks of an account, by tier. */
export const MAX_WEBHOOKS: Readonly<Record<TierName, number>> = { free: 1, starter: 1, pro: 5, business: 5 };

export const WEBHOOK_NAME = /^[a-z0-9-]{1,40}$/;
/** The webhook of `/settings/webhook`. */
export const DEFAULT_WEBHOOK = "default";

/** The days for which `GET /events` has an event, and for which an account that reads events records them. */
export const EVENT_DAYS = 30;

/** The start of `GET /events` without a cursor: the oldest event, the last events of one answer, or the next event. */
export const EVENT_STARTS = ["oldest", "recent", "now"] as const;
export type EventStart = (typeof EVENT_STARTS)[number];

/** The deliveries that a webhook's list has at least, if there were as many. */
export const LISTED_DELIVERIES = 100;
/** The part of a receiver's answer that is kept. */
export const MAX_ANSWER_CHARACTERS = 1024;

/** `active`: gets events. `disabled`: its receiver has failed too long. `paused`: the tier has room for fewer webhooks. */
export const WEBHOOK_STATES = ["active", "disabled", "paused"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** `gone`: the receiver answered 410. `failing`: it accepted nothing for three days. */
export const DISABLED_REASONS = ["gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The time after which a receiver that accepts nothing is given up. */
export const GIVE_UP_MS = 3 * DAY_MS;

const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds between tries (Standard Webhooks, "Deliverability and reliability"); the last one repeats. */
const RETRY_DELAYS_MS = [
  5000,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
] as const;
/** Random share that is added to a delay, so that the receivers of one outage are not called at the same time. */
const JITTER = 0.2;

/** Milliseconds until the next try. @param attempt the tries that failed, from 1 */
export function webhookRetryMs(attempt: number, random = Math.random()): number {
  const delayMs = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length) - 1] ?? 0;
  return Math.round(delayMs * (1 + JITTER * random));
}
