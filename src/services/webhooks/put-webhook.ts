import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { parseWebhookUrl } from "../../domain/webhook-url.ts";
import type { AccountContext } from "../context.ts";
import { checkHost } from "./check-host.ts";
import { requireAlertTier } from "./require-alert-tier.ts";
import { webhookSecret } from "./webhook-secret.ts";

const RETRY_AFTER_SECONDS = 5;

export interface NewWebhook {
  readonly url: string;
  /** Shown this once. */
  readonly secret: string;
  readonly createdAt: number;
}

/**
 * Sends the account's alerts to this address from now on. Each time it is set, the webhook has another secret.
 * @throws ServiceError 400 for an address that is not one on the public internet, 403 on the other tiers, 404 where the account was
 * erased meanwhile, 503 where its name cannot be looked up
 */
export async function putWebhook(account: AccountContext, given: string): Promise<NewWebhook> {
  requireAlertTier(account);
  const { webhooks } = account.config;
  const parsed = parseWebhookUrl(given, webhooks);
  if ("reason" in parsed) throw ERRORS.InvalidRequest({ url: parsed.reason });
  switch (await checkHost(webhooks, parsed.url.hostname)) {
    case "address":
      throw ERRORS.InvalidRequest({ url: "The host has no public address, or one that is not public" });
    case "dns":
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    case "public":
  }
  const createdAt = account.now();
  const webhook = { id: newId(createdAt), url: parsed.url.href };
  if (!(await account.meter.putWebhook(webhook))) throw ERRORS.AccountNotFound();
  return { url: webhook.url, secret: webhookSecret(webhooks.secret, account.accountId, webhook.id), createdAt };
}
