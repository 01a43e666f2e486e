import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { AlertRaised } from "../../domain/queue-messages.ts";
import type { BegunDelivery } from "../../meter/alert.ts";
import type { Services } from "../context.ts";
import { postWebhook } from "../webhooks/post-webhook.ts";
import { webhookSecret } from "../webhooks/webhook-secret.ts";
import { toAlertFacts } from "./alert-facts.ts";
import { emailAlert, type Mailer } from "./email-alert.ts";

export interface AlertContext extends Pick<Services, "directory" | "meterOf" | "config" | "now"> {
  readonly mailer: Mailer | undefined;
}

/**
 * Makes one attempt to deliver an alert, and has the account's object note what became of it. Nothing where the attempt was made, or
 * the alert's way has changed meanwhile: where it goes is asked last of all.
 * @throws what the object throws before the attempt, and the directory; nothing was delivered then
 */
export async function deliverAlert(context: AlertContext, message: AlertRaised): Promise<void> {
  const { accountId, alertId, channel, attempt } = message;
  const meter = context.meterOf(accountId);
  const delivery = { alertId, channel, attempt };
  const begun = await meter.beginDelivery(delivery);
  if (begun === undefined) return;
  const outcome = await attemptDelivery(context, message, begun);
  try {
    await meter.endDelivery(delivery, outcome, begun.webhook?.id);
  } catch (error) {
    // The object takes the attempt for one that was cut short, and makes another one due.
    console.error(toLogLine("alert.not-noted", { accountId }, error));
  }
}

async function attemptDelivery(
  context: AlertContext,
  { accountId, channel }: AlertRaised,
  { alert, webhook }: BegunDelivery,
): Promise<DeliveryOutcome> {
  if (channel === "email") return emailAlert(context, context.mailer, accountId, alert);
  if (webhook === undefined) return { error: "address", status: null };
  const { webhooks } = context.config;
  const { createdAt, ...facts } = toAlertFacts(alert);
  const body = JSON.stringify({ type: "usage.alert", timestamp: createdAt, data: { ...facts, createdAt } });
  const secret = webhookSecret(webhooks.secret, accountId, webhook.id);
  return postWebhook(webhooks, { url: webhook.url, secret }, { id: `msg_${alert.id}`, body }, context.now());
}
