import { createHmac } from "node:crypto";

/**
 * The secret that a webhook's messages are signed with (Standard Webhooks, "Signature scheme"). It is made of the service's own secret
 * and the webhook's id, whenever it is needed: nothing is stored that could be stolen, and another id makes another secret.
 */
export function webhookSecret(serviceSecret: string, accountId: string, webhookId: string): string {
  const mac = createHmac("sha256", serviceSecret).update(`webhook\n${accountId}\n${webhookId}`).digest("base64");
  return `whsec_${mac}`;
}
