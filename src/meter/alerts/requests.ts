import type { DeliveryOutcome } from "../../domain/alerts.ts";
import type { MeterContext } from "../account/context.ts";
import type { Alert, DueDelivery } from "./alert.ts";

/** Begins an attempt to mail an alert. Returns undefined if it was begun before, or nothing is left to deliver. */
export function beginDelivery({ storage, tables }: MeterContext, delivery: DueDelivery): Alert | undefined {
  if (!tables.ledger.exists || tables.erasing) return undefined;
  return storage.transactionSync(() => tables.ledger.alerts.begin(delivery, Date.now()));
}

/** Records an attempt's outcome; the alarm announces the next attempt. */
export function endDelivery({ storage, tables }: MeterContext, delivery: DueDelivery, outcome: DeliveryOutcome): void {
  if (!tables.ledger.exists) return;
  storage.transactionSync(() => tables.ledger.alerts.end(delivery, outcome, Date.now()));
}
