import { toLogLine } from "../domain/log-line.ts";
import type { AlertRaised } from "../domain/queue-messages.ts";
import type { Sender } from "../isolate/retry-queue.ts";
import type { AccountBooks } from "./account-books.ts";

/**
 * Puts the deliveries whose time has come into the queue: no receiver is waited for in an account's object. What the queue does not take
 * is sent by a later alarm.
 */
export async function sendDueAlerts(books: AccountBooks, alertEvents: Sender<AlertRaised>): Promise<void> {
  const { accountId, alerts } = books.ledger;
  const { deliveries } = alerts;
  // Whoever leaves is not written to any more.
  if (books.erasing) return deliveries.cancel();
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
