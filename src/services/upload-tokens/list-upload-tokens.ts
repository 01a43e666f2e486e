import { keyOfOwnUploads } from "../../domain/principal.ts";
import type { StoredUploadToken } from "../../meter/books/upload-token-store.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

/** The tokens that have not expired, newest first. A key that can only upload sees only its own tokens. */
export function listUploadTokens(account: AccountContext, query: PageQuery): Promise<Page<StoredUploadToken>> {
  const { accountId, meter, principal } = account;
  const makerId = keyOfOwnUploads(principal);
  return readPage(account, query, {
    list: { name: "listUploadTokens", accountId, filters: { makerId } },
    read: (after: [id: string] | undefined, limit) => meter.listUploadTokens({ before: after?.[0], limit, makerId }),
    positionOf: ({ id }) => [id],
  });
}
