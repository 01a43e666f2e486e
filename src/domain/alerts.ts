import { TIERS, type TierName } from "./tiers.ts";

/** Percent of the month's operations at which Pro and Business accounts are alerted (specification, Events), in order. */
export const ALERT_THRESHOLDS = [50, 80, 90, 100] as const;

/** Ways in which an alert reaches its owner by itself. */
export const ALERT_CHANNELS = ["webhook", "email"] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** `pending`: it is on its way, or waits for a webhook. `failed`: it was tried for a day, and given up. */
export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * What became of an attempt that did not succeed. `address`: the host has one that is not public, or none. `redirect`: never followed.
 * `gone`: a 410, which ends the webhook.
 */
export const DELIVERY_ERRORS = [
  "timeout",
  "connection",
  "dns",
  "address",
  "redirect",
  "status",
  "gone",
  "email",
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** What a receiver, or what is before it, made of one attempt. */
export interface DeliveryOutcome {
  /** Null where it was delivered. */
  readonly error: DeliveryError | null;
  /** Of the receiver's answer, where there was one. */
  readonly status: number | null;
}

/**
 * Seconds after an attempt until the next: 27 hours in all (Standard Webhooks, "Deliverability and reliability").
 * One more attempt is made than there are delays.
 */
const RETRY_DELAYS_SECONDS = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600];
/** Delays are longer by chance, by this part at most: those whom one outage hits do not come back at once. */
const JITTER = 0.2;

export const MAX_DELIVERY_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** Milliseconds until the attempt after this one; undefined where it was the last. @param attempt from 1 */
export function retryDelayMs(attempt: number, random = Math.random()): number | undefined {
  const seconds = RETRY_DELAYS_SECONDS[attempt - 1];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 + JITTER * random));
}

/** The highest threshold that is reached; 0 where none is, or the tier has no alerts. */
export function reachedThreshold(tier: TierName, usedTenths: number): number {
  const { keyKind, operationsPerMonth } = TIERS[tier];
  if (keyKind !== "api") return 0;
  // Tenths of operations over the limit are percents over a thousand; whole numbers on both sides.
  return ALERT_THRESHOLDS.findLast((threshold) => usedTenths * 10 >= operationsPerMonth * threshold) ?? 0;
}
