import type { DeliveryOutcome } from "../../domain/alerts.ts";
import type { MeterContext } from "../account/context.ts";
import type { AlertDelivery, BegunDelivery, DueDelivery, StoredWebhook } from "./alert.ts";

/** Returns the webhook and the state of its last delivery; undefined if no webhook is set. */
export function findWebhook({
  tables,
}: MeterContext): { webhook: StoredWebhook; lastDelivery: AlertDelivery | undefined } | undefined {
  const { alerts } = tables.ledger;
  const webhook = alerts.webhook.find();
  if (webhook === undefined) return undefined;
  const lastDelivery = webhook.last === null ? undefined : alerts.deliveries.find(webhook.last.alertId, "webhook");
  return { webhook, lastDelivery };
}

/** @returns false if the account no longer exists */
export async function putWebhook(
  { storage, tables, load }: MeterContext,
  webhook: Pick<StoredWebhook, "id" | "url">,
): Promise<boolean> {
  if (!(await load()) || tables.erasing) return false;
  storage.transactionSync(() => tables.ledger.alerts.putWebhook(webhook, Date.now()));
  return true;
}

export function deleteWebhook({ storage, tables }: MeterContext): void {
  storage.transactionSync(() => tables.ledger.alerts.deleteWebhook());
}

/** Begins an attempt to deliver an alert. Returns undefined if it was begun before, or nothing is left to deliver. */
export function beginDelivery({ storage, tables }: MeterContext, delivery: DueDelivery): BegunDelivery | undefined {
  if (!tables.ledger.exists || tables.erasing) return undefined;
  return storage.transactionSync(() => tables.ledger.alerts.begin(delivery, Date.now()));
}

/** Records an attempt's outcome; the alarm announces the next attempt. @param webhookId for the channel `webhook` */
export async function endDelivery(
  { storage, tables, runner }: MeterContext,
  delivery: DueDelivery,
  outcome: DeliveryOutcome,
  webhookId: string | undefined,
): Promise<void> {
  if (!tables.ledger.exists) return;
  storage.transactionSync(() => tables.ledger.alerts.end(delivery, outcome, webhookId, Date.now()));
  await runner.scheduleAlarm();
}
