import { findAccount } from "../../db/directory/accounts.ts";
import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { AlertRaised } from "../../domain/queue-messages.ts";
import type { Alert } from "../../meter/alerts/alert.ts";
import type { Services } from "../context.ts";
import type { Mailer } from "../mail/mailer.ts";
import { renderMail } from "../mail/templates/index.ts";
import { toAlertFacts } from "./alert-facts.ts";

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

/**
 * Sends an alert to the account's owner by mail. It is sent here and not through the queue of mails, because the
 * account's object plans the attempts and shows their outcome.
 * @throws the directory's errors
 */
async function emailAlert(
  { directory, config }: Pick<Services, "directory" | "config">,
  mailer: Mailer | undefined,
  accountId: string,
  alert: Alert,
): Promise<DeliveryOutcome> {
  const account = await findAccount(directory, accountId);
  if (mailer === undefined || account === undefined) return { error: "email", status: null };
  const mail = renderMail("usage-alert", toAlertFacts(alert), { origin: config.mail.origin });
  try {
    await mailer.send({ to: account.email, ...mail }, alert.id);
    return { error: null, status: null };
  } catch (error) {
    console.warn(toLogLine("alert.not-mailed", { accountId }, error));
    return { error: "email", status: null };
  }
}
