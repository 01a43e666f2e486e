import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { CountLimit } from "../../meter/address-meter.ts";
import type { AccountContext } from "../context.ts";
import { postWebhook } from "./post-webhook.ts";
import { requireAlertTier } from "./require-alert-tier.ts";
import { webhookSecret } from "./webhook-secret.ts";

/** Tests that an account may make: a webhook is no means to send requests to others. */
export const WEBHOOK_TESTS: CountLimit = { count: 10, windowSeconds: 60 * 60 };

export interface WebhookTest extends DeliveryOutcome {
  readonly durationMs: number;
}

/**
 * Sends a message of the type `webhook.test` to the account's webhook at once, and waits for the answer. Also to one that was gone.
 * @throws ServiceError 403 on the other tiers, 404 where there is no webhook, 429 after too many
 */
export async function testWebhook(account: AccountContext): Promise<WebhookTest> {
  requireAlertTier(account);
  const { accountId, config, meter, now } = account;
  const found = await meter.findWebhook();
  if (found === undefined) throw ERRORS.WebhookNotFound();
  const waitSeconds = await account.addressMeterOf(`webhook-test:${accountId}`).countOne(WEBHOOK_TESTS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  const { id, url } = found.webhook;
  const startedAt = now();
  const message = {
    id: `msg_${newId(startedAt)}`,
    body: JSON.stringify({ type: "webhook.test", timestamp: new Date(startedAt).toISOString(), data: {} }),
  };
  const secret = webhookSecret(config.webhooks.secret, accountId, id);
  const outcome = await postWebhook(config.webhooks, { url, secret }, message, startedAt);
  return { ...outcome, durationMs: now() - startedAt };
}
