import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { CountLimit } from "../../domain/log-in-limits.ts";
import { TIERS } from "../../domain/tiers.ts";
import { parseWebhookUrl } from "../../domain/webhook-url.ts";
import type { AccountContext } from "../context.ts";
import { checkHost } from "./check-host.ts";
import { postWebhook, webhookSecret, webhookSecrets } from "./post-webhook.ts";

/** Limits an account's tests, so that they cannot be used to flood other servers. */
export const WEBHOOK_TESTS: CountLimit = { count: 10, windowSeconds: 60 * 60 };

const RETRY_AFTER_SECONDS = 5;

interface NewWebhook {
  readonly url: string;
  /** Shown once. */
  readonly secret: string;
  readonly createdAt: number;
}

interface WebhookTest extends DeliveryOutcome {
  readonly durationMs: number;
}

/**
 * Sets the account's webhook. Each call makes a new secret.
 * @throws ServiceError 400 for an address that is not on the public internet, 403 on Free and Starter, 404 if the
 * account was erased, 503 if the name cannot be resolved
 */
export async function putWebhook(account: AccountContext, given: string): Promise<NewWebhook> {
  requireAlertTier(account);
  const { webhooks } = account.config;
  const parsed = parseWebhookUrl(given, webhooks);
  if ("reason" in parsed) throw ERRORS.InvalidRequest({ url: parsed.reason });
  switch (await checkHost(webhooks, parsed.url.hostname)) {
    case "address":
      throw ERRORS.InvalidRequest({ url: "The host must have public addresses only" });
    case "dns":
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    case "public":
  }
  const createdAt = account.now();
  const webhook = { id: newId(createdAt), url: parsed.url.href };
  if (!(await account.meter.putWebhook(webhook))) throw ERRORS.AccountNotFound();
  return { url: webhook.url, secret: webhookSecret(webhooks.secret.current, account.accountId, webhook.id), createdAt };
}

/**
 * The account's webhook and its last delivery; undefined if there is none.
 * @throws ServiceError 403 on Free and Starter
 */
export async function findWebhook(account: AccountContext) {
  requireAlertTier(account);
  return account.meter.findWebhook();
}

/**
 * Removes the account's webhook, if there is one.
 * @throws ServiceError 403 on Free and Starter
 */
export async function deleteWebhook(account: AccountContext): Promise<void> {
  requireAlertTier(account);
  await account.meter.deleteWebhook();
}

/**
 * Sends a message of the type `webhook.test` to the account's webhook, also after a 410, and waits for the
 * answer.
 * @throws ServiceError 403 on Free and Starter, 404 without a webhook, 429 after too many tests
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
  const secrets = webhookSecrets(config.webhooks.secret, accountId, id);
  const outcome = await postWebhook(config.webhooks, { url, secrets }, message, startedAt);
  return { ...outcome, durationMs: now() - startedAt };
}

/**
 * Alerts and webhooks are for Pro and Business (ALERT-1, SET-2).
 * @throws ServiceError 403
 */
export function requireAlertTier({ figures }: AccountContext): void {
  if (TIERS[figures.tier].keyKind !== "api") throw ERRORS.ApiTierRequired();
}
