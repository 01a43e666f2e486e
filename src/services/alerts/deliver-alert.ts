import { toLogLine } from "../../domain/log-line.ts";
import type { AlertRaised } from "../../domain/queue-messages.ts";
import type { Services } from "../context.ts";
import type { Mailer } from "../mail/mailer.ts";
import { emailAlert } from "./email-alert.ts";

export interface AlertContext extends Pick<Services, "directory" | "meterOf" | "config" | "now"> {
  readonly mailer: Mailer | undefined;
}

/**
 * Makes one attempt to mail an alert, and records its outcome with the account's object. Does nothing if the attempt was already made: the
 * object decides immediately before the attempt. Webhooks get alerts as events.
 * @throws errors of the object before the attempt, and of the directory; nothing was delivered then
 */
export async function deliverAlert(context: AlertContext, message: AlertRaised): Promise<void> {
  const { accountId, alertId, channel, attempt } = message;
  const meter = context.meterOf(accountId);
  const delivery = { alertId, channel, attempt };
  const alert = await meter.beginDelivery(delivery);
  if (alert === undefined) return;
  const outcome = await emailAlert(context, context.mailer, accountId, alert);
  try {
    await meter.endDelivery(delivery, outcome);
  } catch (error) {
    // The object treats the attempt as interrupted, and schedules another.
    console.error(toLogLine("alert.not-noted", { accountId }, error));
  }
}
