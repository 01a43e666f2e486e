import { readTagCounts, type TagCount } from "../../db/listing/read-tag-counts.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { takeListingTurn } from "../images/list-turns.ts";

/**
 * The tags of the account's active uploads, most used first (LIST-6).
 * A confined key gets the tags of its folder, without those of the folders below it.
 * @param text part of a tag in any case and with any accents; undefined for every tag
 * @throws ServiceError 503 if there are very many tags and too many long listings of the account wait
 */
export async function listTags(
  account: AccountContext,
  query: { readonly text: string | undefined; readonly limit: number },
): Promise<TagCount[]> {
  const { library, accountId } = account;
  return readTagCounts({ library, accountId, folderId: confinementOf(account), ...query }, (work) =>
    takeListingTurn(account, work),
  );
}
