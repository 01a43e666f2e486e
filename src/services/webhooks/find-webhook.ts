import type { AccountContext } from "../context.ts";
import { requireAlertTier } from "./require-alert-tier.ts";

/**
 * Where the account's alerts are sent, and what became of the last one; undefined where nowhere.
 * @throws ServiceError 403 on the other tiers
 */
export async function findWebhook(account: AccountContext) {
  requireAlertTier(account);
  return account.meter.findWebhook();
}
