import { readTagCounts, type TagCount } from "../../db/listing/read-tag-counts.ts";
import type { AccountContext } from "../context.ts";
import { takeListingTurn } from "../images/list-turns.ts";

/**
 * The tags of the account's active uploads, the most used first.
 * @param text a part of the tag, whatever its case and accents; undefined for every tag
 * @throws ServiceError 503 where there are very many, after too many other long listings of the account
 */
export async function listTags(
  account: AccountContext,
  query: { readonly text: string | undefined; readonly limit: number },
): Promise<TagCount[]> {
  const { library, accountId } = account;
  return readTagCounts({ library, accountId, ...query }, (work) => takeListingTurn(account, work));
}
