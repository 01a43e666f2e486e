import { Webhook } from "standardwebhooks";
import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { parseWebhookUrl } from "../../domain/webhook-url.ts";
import type { WebhookConfig } from "../webhook-config.ts";
import { checkHost } from "./check-host.ts";

/** Receivers are to answer within 15 to 30 seconds at most (Standard Webhooks); one that needs longer is to do its work later. */
const TIMEOUT_MS = 10_000;
const USER_AGENT = "media-host-webhooks/1.0";
const GONE = 410;

export interface WebhookMessage {
  /** The same for every attempt to deliver it. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/**
 * Sends one message to a webhook, signed (Standard Webhooks), if the webhook is on the public internet. A redirect is not followed, and
 * of the answer no more is read than its status. It never throws for what is the receiver's.
 */
export async function postWebhook(
  config: WebhookConfig,
  webhook: { readonly url: string; readonly secret: string },
  message: WebhookMessage,
  now: number,
): Promise<DeliveryOutcome> {
  // Judged again: the rules may have changed since it was set.
  const parsed = parseWebhookUrl(webhook.url, config);
  if ("reason" in parsed) return { error: "address", status: null };
  const verdict = await checkHost(config, parsed.url.hostname);
  if (verdict !== "public") return { error: verdict, status: null };
  const sentAt = new Date(now);
  try {
    const response = await fetch(parsed.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Webhook-Id": message.id,
        "Webhook-Timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "Webhook-Signature": new Webhook(webhook.secret).sign(message.id, sentAt, message.body),
      },
      body: message.body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // It may go on for ever.
    response.body?.cancel().catch(() => {});
    return { error: errorOf(response.status), status: response.status };
  } catch (error) {
    const isTimeout = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    return { error: isTimeout ? "timeout" : "connection", status: null };
  }
}

function errorOf(status: number): DeliveryOutcome["error"] {
  if (status >= 200 && status < 300) return null;
  if (status === GONE) return "gone";
  return status >= 300 && status < 400 ? "redirect" : "status";
}
