import type { AlertChannel, DeliveryError, DeliveryOutcome, DeliveryState } from "../../domain/alerts.ts";

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

/** A due mail. Webhooks get alerts as events (`meter/events`). */
export interface DueDelivery {
  readonly alertId: string;
  readonly channel: AlertChannel;
  /** Counts from 1. */
  readonly attempt: number;
}

/** A try to deliver an alert to a webhook. */
export interface AlertTry extends DeliveryOutcome {
  readonly alertId: string;
  readonly at: number;
  /** Null if no try follows. */
  readonly nextAt: number | null;
  readonly isGivenUp: boolean;
}

/** The last try to deliver an alert to a webhook. */
export interface LastDelivery {
  readonly alertId: string;
  readonly at: number;
  readonly status: number | null;
  /** Null if the message was delivered. */
  readonly error: DeliveryError | null;
}
