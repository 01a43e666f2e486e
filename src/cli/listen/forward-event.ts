import { createHmac } from "node:crypto";
import type { Event } from "../../client/index.ts";

const TIMEOUT_MS = 30_000;

/** @returns the receiver's status. @throws Error if it does not answer */
export async function forwardEvent(
  { _id, ...message }: Event,
  { url, secret, signal }: { readonly url: string; readonly secret: string; readonly signal: AbortSignal },
): Promise<number> {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "media-host-listen",
      "Webhook-Id": _id,
      "Webhook-Timestamp": timestamp,
      "Webhook-Signature": signatureOf(secret, `${_id}.${timestamp}.${body}`),
    },
    body,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await response.body?.cancel();
  return response.status;
}

/** Standard Webhooks, "Signature scheme". */
function signatureOf(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}
