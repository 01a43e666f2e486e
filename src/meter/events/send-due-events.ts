import { MINUTE_MS } from "../../domain/calendar.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { retryQueue } from "../../isolate/calls.ts";
import type { MeterContext } from "../account/context.ts";
import { sendsMail } from "../mail-bindings.ts";
import { closeDueEvents } from "./close-events.ts";

/**
 * Puts due runs into the queue, because an account's object never waits for a receiver. Runs that the queue does not take are sent by a
 * later alarm.
 */
export async function sendDueEvents(context: MeterContext): Promise<void> {
  const { env, storage, tables } = context;
  const { events, ledger } = tables;
  // An erased account gets no more messages.
  if (tables.erasing) return;
  await closeDueEvents(context);
  await mailDisabled(context);
  const { accountId } = ledger;
  const due = storage.transactionSync(() => events.runs.takeDue(Date.now()));
  if (due.length === 0) return;
  try {
    await retryQueue(env.ALERTS).sendBatch(due.map((run) => ({ body: { type: "events.due", accountId, ...run } })));
  } catch (error) {
    console.error(toLogLine("events.sent-later", { accountId }, error));
    storage.transactionSync(() => events.runs.noteUnsent(due, Date.now()));
  }
}

/** Informs the owner that a webhook was disabled. A mail that the queue does not take is tried again by the next alarm. */
async function mailDisabled({ env, tables }: MeterContext): Promise<void> {
  const { events, ledger, credentials } = tables;
  for (const webhook of events.webhooks.list()) {
    const { name, url, disabledAt, disabledReason } = webhook;
    if (!webhook.owesMail) continue;
    const to = credentials.profile?.email;
    try {
      if (to !== undefined && disabledAt !== null && sendsMail(env)) {
        const values = {
          name,
          host: new URL(url).host,
          at: new Date(disabledAt).toISOString(),
          reason: disabledReason ?? "",
        };
        const origin = env.PUBLIC_URL.replace(/\/+$/, "");
        await retryQueue(env.MAILS).send({ type: "mail.requested", to, template: "webhook-disabled", values, origin });
      }
    } catch (error) {
      console.error(toLogLine("mail.not-queued", { accountId: ledger.accountId, template: "webhook-disabled" }, error));
      events.mailLater(Date.now() + MINUTE_MS);
      continue;
    }
    const current = events.webhooks.find(name);
    if (current?.disabledAt === disabledAt) events.webhooks.update(current, { owesMail: false });
  }
}
