import { ERRORS } from "../../domain/errors.ts";
import { DEFAULT_WEBHOOK, type EventType, WEBHOOK_NAME } from "../../domain/events.ts";
import { newId } from "../../domain/ids.ts";
import type { CountLimit } from "../../domain/log-in-limits.ts";
import { TIERS } from "../../domain/tiers.ts";
import { parseWebhookUrl } from "../../domain/webhook-url.ts";
import type { ListedWebhook } from "../../meter/events/event.ts";
import type { FoundWebhook } from "../../meter/events/requests.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";
import { checkHost } from "./check-host.ts";
import { type PostOutcome, postWebhook, webhookSecret, webhookSecrets } from "./post-webhook.ts";

/** Limits an account's tests and redeliveries, so that they cannot be used to flood other servers. */
export const WEBHOOK_TESTS: CountLimit = { count: 10, windowSeconds: 60 * 60 };

const RETRY_AFTER_SECONDS = 5;

export interface NewWebhook {
  readonly webhook: ListedWebhook;
  /** Shown once. */
  readonly secret: string;
  readonly createdAt: number;
}

export interface WebhookTest extends PostOutcome {
  readonly durationMs: number;
}

/** The webhooks, by name. */
export async function listWebhooks(account: AccountContext, query: PageQuery): Promise<Page<ListedWebhook>> {
  const list = { name: "listWebhooks", accountId: account.accountId };
  const rows = (await account.meter.listWebhooks()).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return pageOfFew(account, query, { list, rows, keyOf: ({ name }) => name });
}

/** @throws ServiceError 404 */
export async function getWebhook({ meter }: AccountContext, name: string): Promise<ListedWebhook> {
  const webhook = (await meter.listWebhooks()).find((each) => each.name === name);
  if (webhook === undefined) throw ERRORS.WebhookNotFound();
  return webhook;
}

/**
 * Adds or changes a webhook (EVENT-2). Each call makes a new secret. A webhook of the same name continues where it was.
 * @throws ServiceError 400 for a bad name, an address that is not on the public internet, or too many webhooks; 404 if the account was
 * erased, 503 if the host's name cannot be resolved
 */
export async function putWebhook(
  account: AccountContext,
  name: string,
  { url: given, events }: { readonly url: string; readonly events: readonly EventType[] },
): Promise<NewWebhook> {
  if (!WEBHOOK_NAME.test(name)) {
    throw ERRORS.InvalidRequest({ name: "Must be 1 to 40 small letters, digits and hyphens" });
  }
  const { webhooks } = account.config;
  const url = await readAddress(account, given);
  const createdAt = account.now();
  const webhook = { name, id: newId(createdAt), url, events: [...new Set(events)], filesUrl: account.config.cdnUrl };
  const put = await account.meter.putWebhook(webhook);
  if (put === undefined) throw ERRORS.AccountNotFound();
  if (put.outcome === "full") throw ERRORS.TooManyOf("webhooks", put.most);
  return {
    webhook: put.webhook,
    secret: webhookSecret(webhooks.secret.current, account.accountId, webhook.id),
    createdAt,
  };
}

/** @throws ServiceError 400, 503 */
async function readAddress({ config: { webhooks } }: AccountContext, given: string): Promise<string> {
  const parsed = parseWebhookUrl(given, webhooks);
  if ("reason" in parsed) throw ERRORS.InvalidRequest({ url: parsed.reason });
  switch (await checkHost(webhooks, parsed.url.hostname)) {
    case "address":
      throw ERRORS.InvalidRequest({ url: "The host must have public addresses only" });
    case "dns":
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    case "public":
      return parsed.url.href;
  }
}

/** @throws ServiceError 404 */
export async function deleteWebhook({ meter }: AccountContext, name: string): Promise<void> {
  if (!(await meter.deleteWebhook(name))) throw ERRORS.WebhookNotFound();
}

/**
 * Sends a message of the type `webhook.test` to a webhook, also if it is disabled, and waits for the answer.
 * @throws ServiceError 404 without the webhook, 429 after too many tests
 */
export async function testWebhook(account: AccountContext, name: string): Promise<WebhookTest> {
  const webhook = await getWebhook(account, name);
  await takeTest(account);
  const at = account.now();
  const body = JSON.stringify({ type: "webhook.test", timestamp: new Date(at).toISOString(), data: {} });
  return post(account, webhook, { id: `msg_${newId(at)}`, body });
}

/** Sends a message at once. */
export async function post(
  { accountId, config: { webhooks }, now }: AccountContext,
  { id, url }: Pick<ListedWebhook, "id" | "url">,
  message: { readonly id: string; readonly body: string },
): Promise<WebhookTest> {
  const startedAt = now();
  const secrets = webhookSecrets(webhooks.secret, accountId, id);
  const outcome = await postWebhook(webhooks, { url, secrets }, message, startedAt);
  return { ...outcome, durationMs: now() - startedAt };
}

/** @throws ServiceError 429 */
export async function takeTest({ accountId, addressMeterOf }: AccountContext): Promise<void> {
  const waitSeconds = await addressMeterOf(`webhook-test:${accountId}`).countOne(WEBHOOK_TESTS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
}

/**
 * The webhook of `/settings/webhook` and the delivery of its last alert; undefined if there is none.
 * @throws ServiceError 403 on Free and Starter
 */
export async function findAlertWebhook(account: AccountContext): Promise<FoundWebhook | undefined> {
  requireAlertTier(account);
  return account.meter.findAlertWebhook(DEFAULT_WEBHOOK);
}

/**
 * Sets the address of the webhook of `/settings/webhook`. A new one gets alerts; one that exists keeps its events.
 * @throws ServiceError as `putWebhook`; 403 on Free and Starter
 */
export async function putAlertWebhook(account: AccountContext, url: string): Promise<NewWebhook> {
  requireAlertTier(account);
  const found = await account.meter.findAlertWebhook(DEFAULT_WEBHOOK);
  return putWebhook(account, DEFAULT_WEBHOOK, { url, events: found?.webhook.events ?? ["usage.alert"] });
}

/**
 * Removes the webhook of `/settings/webhook`, if there is one.
 * @throws ServiceError 403 on Free and Starter
 */
export async function deleteAlertWebhook(account: AccountContext): Promise<void> {
  requireAlertTier(account);
  await account.meter.deleteWebhook(DEFAULT_WEBHOOK);
}

/**
 * Alerts are for Pro and Business (ALERT-1, SET-2).
 * @throws ServiceError 403
 */
export function requireAlertTier({ figures }: AccountContext): void {
  if (TIERS[figures.tier].keyKind !== "api") throw ERRORS.ApiTierRequired();
}
