import { readTagCounts, type TagCount, type TagOrder } from "../../db/listing/read-tag-counts.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { takeListingTurn } from "../images/list-turns.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

export interface TagListQuery extends PageQuery {
  /** Part of a tag in any case and with any accents; undefined for every tag. */
  readonly text: string | undefined;
  readonly sort: TagOrder;
}

/**
 * The tags of the account's active uploads, most used first or by name (LIST-6).
 * A confined key gets the tags of its folder, without those of the folders below it.
 * @throws ServiceError 503 if there are very many tags and too many long listings of the account wait
 */
export async function listTags(
  account: AccountContext,
  { text, sort, ...query }: TagListQuery,
): Promise<Page<TagCount>> {
  const { library, accountId } = account;
  const folderId = confinementOf(account);
  return readPage(account, query, {
    list: { name: "listTags", accountId, filters: { text, sort, folderId } },
    read: (place: [tag: string, count: number] | undefined, limit) => {
      const after = place && { tag: place[0], count: place[1] };
      const tags = { library, accountId, folderId, text, sort, after, limit };
      return readTagCounts(tags, (work) => takeListingTurn(account, work));
    },
    positionOf: ({ tag, count }) => [tag, count],
  });
}
