import type { ListedAlert } from "../../meter/alerts/alert.ts";
import type { AccountContext } from "../context.ts";
import { requireAlertTier } from "../webhooks/webhook.ts";

/**
 * The account's usage alerts of the last year, newest first.
 * @throws ServiceError 403 on Free and Starter
 */
export async function listAlerts(account: AccountContext): Promise<ListedAlert[]> {
  requireAlertTier(account);
  return account.meter.listAlerts();
}
