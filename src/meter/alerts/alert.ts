import type { AlertChannel, DeliveryError, DeliveryState } from "../../domain/alerts.ts";

export interface Alert {
  readonly id: string;
  /** Percent of the limit. */
  readonly threshold: number;
  readonly usedTenths: number;
  readonly operationsLimit: number;
  /** The end of the alert's month. */
  readonly monthEndsAt: number;
  readonly at: number;
}

export interface AlertDelivery {
  readonly channel: AlertChannel;
  readonly state: DeliveryState;
  /** Attempts begun. */
  readonly attempts: number;
  /** Null if no attempt follows. */
  readonly nextAt: number | null;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: DeliveryError | null;
}

export interface ListedAlert extends Alert {
  readonly deliveries: readonly AlertDelivery[];
}

/** A due delivery. */
export interface DueDelivery {
  readonly alertId: string;
  readonly channel: AlertChannel;
  /** Counts from 1. */
  readonly attempt: number;
}

/** The content and the receiver of an attempt. */
export interface BegunDelivery {
  readonly alert: Alert;
  /** Defined for the channel `webhook`. */
  readonly webhook: StoredWebhook | undefined;
}

/** An account's webhook. Its secret is derived from its id (services/webhooks/post-webhook.ts) and not stored. */
export interface StoredWebhook {
  /** A new id each time the webhook is set. */
  readonly id: string;
  readonly url: string;
  readonly createdAt: number;
  /** The time at which its receiver answered 410; null if it is in use. */
  readonly disabledAt: number | null;
  readonly last: LastDelivery | null;
}

/** The last attempt to deliver to the webhook. */
export interface LastDelivery {
  readonly alertId: string;
  readonly at: number;
  readonly status: number | null;
  /** Null if the message was delivered. */
  readonly error: DeliveryError | null;
}
