import type { AccountContext } from "../context.ts";
import { requireAlertTier } from "./require-alert-tier.ts";

/**
 * Sends the account's alerts nowhere from now on; nothing where that is so already.
 * @throws ServiceError 403 on the other tiers
 */
export async function deleteWebhook(account: AccountContext): Promise<void> {
  requireAlertTier(account);
  await account.meter.deleteWebhook();
}
