import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { AlertRaised } from "../../domain/queue-messages.ts";
import type { BegunDelivery } from "../../meter/alerts/alert.ts";
import type { Services } from "../context.ts";
import type { Mailer } from "../mail/mailer.ts";
import { postWebhook, webhookSecrets } from "../webhooks/post-webhook.ts";
import { toAlertFacts } from "./alert-facts.ts";
import { emailAlert } from "./email-alert.ts";

export interface AlertContext extends Pick<Services, "directory" | "meterOf" | "config" | "now"> {
  readonly mailer: Mailer | undefined;
}

/**
 * Makes one attempt to deliver an alert, and records its outcome with the account's object. Does nothing if the attempt
 * was already made or the alert's channel has changed: the object decides immediately before the attempt.
 * @throws errors of the object before the attempt, and of the directory; nothing was delivered then
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
    // The object treats the attempt as interrupted, and schedules another.
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
  const secrets = webhookSecrets(webhooks.secret, accountId, webhook.id);
  return postWebhook(webhooks, { url: webhook.url, secrets }, { id: `msg_${alert.id}`, body }, context.now());
}
