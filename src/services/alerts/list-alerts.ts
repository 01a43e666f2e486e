import type { ListedAlert } from "../../meter/alert.ts";
import type { AccountContext } from "../context.ts";
import { requireAlertTier } from "../webhooks/require-alert-tier.ts";

/**
 * The account's usage alerts of the last year, newest first.
 * @throws ServiceError 403 on the other tiers
 */
export async function listAlerts(account: AccountContext): Promise<ListedAlert[]> {
  requireAlertTier(account);
  return account.meter.listAlerts();
}
