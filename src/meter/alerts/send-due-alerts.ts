import { toLogLine } from "../../domain/log-line.ts";
import type { AlertRaised } from "../../domain/queue-messages.ts";
import type { Sender } from "../../isolate/calls.ts";
import type { AccountTables } from "../account/account-tables.ts";

/**
 * Puts due deliveries into the queue, because an account's object never waits for a receiver. Deliveries that the queue does not take are
 * sent by a later alarm.
 */
export async function sendDueAlerts(tables: AccountTables, alertEvents: Sender<AlertRaised>): Promise<void> {
  const { accountId, alerts } = tables.ledger;
  const { deliveries } = alerts;
  // An erased account gets no more messages.
  if (tables.erasing) return deliveries.cancel();
  const due = deliveries.listDue(Date.now());
  if (due.length === 0) return;
  try {
    await alertEvents.sendBatch(due.map((delivery) => ({ body: { type: "alert.raised", accountId, ...delivery } })));
    deliveries.noteQueued(due, Date.now());
  } catch (error) {
    console.error(toLogLine("alerts.sent-later", { accountId }, error));
    deliveries.noteUnsent(due, Date.now());
  }
}
