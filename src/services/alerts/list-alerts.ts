import type { ListedAlert } from "../../meter/alerts/alert.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";
import { requireAlertTier } from "../webhooks/webhook.ts";

/**
 * The account's usage alerts of the last year, newest first.
 * @throws ServiceError 403 on Free and Starter
 */
export async function listAlerts(account: AccountContext, query: PageQuery): Promise<Page<ListedAlert>> {
  requireAlertTier(account);
  const rows: ListedAlert[] = await account.meter.listAlerts();
  const list = { name: "listAlerts", accountId: account.accountId };
  return pageOfFew(account, query, { list, rows, keyOf: ({ id }) => id, isDescending: true });
}
