/** Percent of the month's operations at which Pro and Business accounts are alerted (ALERT-1), in ascending order. */
export const ALERT_THRESHOLDS = [50, 80, 90, 100] as const;

/** Ways in which an alert is sent. */
export const ALERT_CHANNELS = ["webhook", "email"] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** `pending`: has to be sent, or waits for a webhook. `failed`: given up after a day of attempts. */
export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The reason why an attempt failed. `address`: the host's address is missing or not public. `redirect`: redirects are never followed.
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

/** The result of one attempt. */
export interface DeliveryOutcome {
  /** Null if the alert was delivered. */
  readonly error: DeliveryError | null;
  /** The status that the receiver answered; null if it did not answer. */
  readonly status: number | null;
}

/**
 * Seconds between attempts: 27 hours in total (Standard Webhooks, "Deliverability and reliability"). There is one more
 * attempt than delays.
 */
const RETRY_DELAYS_SECONDS = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600];
/** Random share that is added to a delay, so that the receivers of one outage are not called at the same time. */
const JITTER = 0.2;

export const MAX_DELIVERY_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/**
 * Milliseconds until the next attempt; undefined after the last one.
 * @param attempt from 1
 */
export function retryDelayMs(attempt: number, random = Math.random()): number | undefined {
  const seconds = RETRY_DELAYS_SECONDS[attempt - 1];
  return seconds === undefined ? undefined : Math.round(seconds * 1000 * (1 + JITTER * random));
}
