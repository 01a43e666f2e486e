import { toLogLine } from "../domain/log-line.ts";
import type { AlertRaised } from "../domain/queue-messages.ts";
import type { Sender } from "../isolate/retry-queue.ts";
import type { AccountBooks } from "./account-books.ts";

/**
 * Puts the deliveries whose time has come into the queue: no receiver is waited for in an account's object. What the queue does not take
 * is sent by a later alarm.
 */
export async function sendDueAlerts(books: AccountBooks, alertEvents: Sender<AlertRaised>): Promise<void> {
  const { alerts, accountId } = books.ledger;
  // Whoever leaves is not written to any more.
  if (books.erasing) return alerts.cancel();
  const due = alerts.listDue(Date.now());
  if (due.length === 0) return;
  try {
    await alertEvents.sendBatch(due.map((delivery) => ({ body: { type: "alert.raised", accountId, ...delivery } })));
    alerts.noteQueued(due, Date.now());
  } catch (error) {
    console.error(toLogLine("alerts.sent-later", { accountId }, error));
    alerts.noteUnsent(due, Date.now());
  }
}
