import type { AlertChannel, DeliveryError, DeliveryState } from "../domain/alerts.ts";
import type { StoredWebhook } from "./webhook-store.ts";

export interface Alert {
  readonly id: string;
  /** Percent of the limit. */
  readonly threshold: number;
  readonly usedTenths: number;
  readonly operationsLimit: number;
  /** When the month ends that it is of. */
  readonly monthEndsAt: number;
  readonly at: number;
}

export interface Delivery {
  readonly channel: AlertChannel;
  readonly state: DeliveryState;
  /** Those begun. */
  readonly attempts: number;
  /** Null where none is to come. */
  readonly nextAt: number | null;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: DeliveryError | null;
}

export interface ListedAlert extends Alert {
  readonly deliveries: readonly Delivery[];
}

/** A delivery whose time has come. */
export interface DueDelivery {
  readonly alertId: string;
  readonly channel: AlertChannel;
  /** From 1. */
  readonly attempt: number;
}

/** What an attempt is made with. */
export interface BegunDelivery {
  readonly alert: Alert;
  /** For the channel of that name. */
  readonly webhook: StoredWebhook | undefined;
}
