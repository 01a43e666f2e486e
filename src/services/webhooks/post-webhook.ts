import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { DeliveryOutcome } from "../../domain/alerts.ts";
import { MAX_ANSWER_CHARACTERS } from "../../domain/events.ts";
import type { SecretPair } from "../../domain/secret-pair.ts";
import { parseWebhookUrl } from "../../domain/webhook-url.ts";
import type { WebhookConfig } from "../read-config.ts";
import { checkHost } from "./check-host.ts";

/** Receivers should answer within 15 to 30 seconds (Standard Webhooks), and do longer work later. */
const TIMEOUT_MS = 10_000;
/** The time for a receiver that has to work before it answers, for example with a model. */
const ANSWER_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 4096;
/** The time for the start of an answer's body after its status. */
const START_TIMEOUT_MS = 1000;
const USER_AGENT = "media-host-webhooks/1.0";
const GONE = 410;

interface Receiver {
  readonly url: string;
  readonly secrets: readonly string[];
}

interface WebhookMessage {
  /** The id is the same in every attempt. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** An outcome with the start of the receiver's answer. */
export interface PostOutcome extends DeliveryOutcome {
  /** At most `MAX_ANSWER_CHARACTERS`; empty without an answer. */
  readonly answer: string;
}

/**
 * Sends one signed message (Standard Webhooks) to a webhook on the public internet. Redirects are not followed, and only the answer's
 * status and first KB are read. It never throws for faults of the receiver.
 */
export async function postWebhook(
  config: WebhookConfig,
  webhook: Receiver,
  message: WebhookMessage,
  now: number,
): Promise<PostOutcome> {
  const {
    error,
    status,
    answer = "",
  } = await post(config, webhook, message, { now, timeoutMs: TIMEOUT_MS }, readStart);
  return { error, status, answer };
}

/**
 * Does the same as `postWebhook`, and reads the answer: at most 4 KB within 30 seconds.
 * @returns a longer answer has the error `status` and no `answer`
 */
export async function askWebhook(
  config: WebhookConfig,
  webhook: Receiver,
  message: WebhookMessage,
  now: number,
): Promise<DeliveryOutcome & { readonly answer?: string }> {
  return post(config, webhook, message, { now, timeoutMs: ANSWER_TIMEOUT_MS }, readAnswer);
}

/** @param read reads the answer's body; undefined if it is too long */
async function post(
  config: WebhookConfig,
  webhook: Receiver,
  message: WebhookMessage,
  { now, timeoutMs }: { readonly now: number; readonly timeoutMs: number },
  read: (response: Response, signal: AbortSignal) => Promise<string | undefined>,
): Promise<DeliveryOutcome & { readonly answer?: string }> {
  // Checked again, because the rules may have changed since the webhook was set.
  const parsed = parseWebhookUrl(webhook.url, config);
  if ("reason" in parsed) return { error: "address", status: null };
  const verdict = await checkHost(config, parsed.url.hostname);
  if (verdict !== "public") return { error: verdict, status: null };
  const sentAt = new Date(now);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(parsed.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Webhook-Id": message.id,
        "Webhook-Timestamp": String(Math.floor(sentAt.getTime() / 1000)),
        "Webhook-Signature": webhook.secrets
          .map((secret) => new Webhook(secret).sign(message.id, sentAt, message.body))
          .join(" "),
      },
      body: message.body,
      redirect: "manual",
      signal,
    });
    const { status } = response;
    const error = errorOf(status);
    const answer = await read(response, signal);
    return answer === undefined ? { error: error ?? "status", status } : { error, status, answer };
  } catch (error) {
    const isTimeout = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    return { error: isTimeout ? "timeout" : "connection", status: null };
  }
}

/** Reads the start of an answer. A receiver that has sent a status has decided, so a slow or broken rest is ignored. */
async function readStart({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, START_TIMEOUT_MS));
  try {
    for (let bytes = 0; bytes < MAX_ANSWER_CHARACTERS; ) {
      const read = await Promise.race([reader.read(), late]);
      if (read === undefined || read.done) break;
      bytes += read.value.length;
      pieces.push(read.value);
    }
  } catch {
    // The connection broke.
  }
  // The answer may be endless.
  reader.cancel().catch(() => {});
  const text = Buffer.concat(pieces).subarray(0, MAX_ANSWER_CHARACTERS).toString();
  return text.slice(0, MAX_ANSWER_CHARACTERS);
}

/** Reads an answer, also a slow one, until the signal ends it. @throws the signal's reason */
async function readAnswer({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
  const reader = body?.getReader();
  const stop = () => void reader?.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      bytes += read.value.length;
      if (bytes > MAX_ANSWER_BYTES) {
        stop();
        return undefined;
      }
      pieces.push(read.value);
    }
    signal.throwIfAborted();
    return Buffer.concat(pieces).toString();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function errorOf(status: number): DeliveryOutcome["error"] {
  if (status >= 200 && status < 300) return null;
  if (status === GONE) return "gone";
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/**
 * The secret that signs a webhook's messages (Standard Webhooks, "Signature scheme"). It is derived from the service's secret and the
 * webhook's id whenever it is needed, so nothing is stored that could be stolen, and a new id makes a new secret.
 */
export function webhookSecret(serviceSecret: string, accountId: string, webhookId: string): string {
  const mac = createHmac("sha256", serviceSecret).update(`webhook\n${accountId}\n${webhookId}`).digest("base64");
  return `whsec_${mac}`;
}

/** The secrets that sign a webhook's messages: two while the service's secret is rotated (Standard Webhooks, "Signature scheme"). */
export function webhookSecrets({ accepted }: SecretPair, accountId: string, webhookId: string): string[] {
  return accepted.map((secret) => webhookSecret(secret, accountId, webhookId));
}
