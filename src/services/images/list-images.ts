import type { Upload } from "../../db/library/schema.ts";
import { listSorted } from "../../db/listing/list-sorted.ts";
import { listUploads } from "../../db/listing/list-uploads.ts";
import { isUsual, type Sorting, type SortPosition } from "../../db/listing/sorting.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import { readCursor, toCursor } from "../paging.ts";
import { takeListingTurn } from "./list-turns.ts";
import { type ListFilter, toUploadFilter } from "./upload-filter.ts";

export interface ListQuery extends ListFilter {
  readonly page: number;
  readonly limit: number;
  /** `nextCursor` of an earlier answer, instead of `page`. */
  readonly cursor?: string | undefined;
  /** The newest upload first without it. */
  readonly sorting?: Sorting | undefined;
}

/** The items that `page` reaches in an order of its own; `cursor` reaches all. */
const MAX_SORTED_ITEMS = 1000;

export interface ImagePage {
  readonly rows: Upload[];
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of the account's uploads, newest first (LIST-1) or in another order (SORT-1). If no folder is given: Root for active uploads without a search, else every
 * folder.
 * @throws ServiceError 400 for an invalid cursor or too late a page, 404 for an unknown folder, 503 if too many long listings of the account wait
 */
export async function listImages(account: AccountContext, query: ListQuery): Promise<ImagePage> {
  const { library, accountId } = account;
  const { page, limit, cursor, sorting = { by: "createdAt", order: "desc" }, ...given } = query;
  if (!isUsual(sorting)) return listInOrder(account, query, sorting);
  const list = { name: "listImages", accountId, filters: given };
  const [after] = readCursor<[string]>(account, list, cursor) ?? [];
  const filter = await toUploadFilter(account, given);
  const slice = { limit, offset: (page - 1) * limit, after };
  const listing = await listUploads({ library, accountId, filter, slice }, (work) => takeListingTurn(account, work));
  if (listing === undefined) throw ERRORS.FolderNotFound();
  const { rows, total, next } = listing;
  return { rows, total, nextCursor: next === null ? null : toCursor(account, list, [next]) };
}

async function listInOrder(account: AccountContext, query: ListQuery, sorting: Sorting): Promise<ImagePage> {
  const { library, accountId } = account;
  const { page, limit, cursor, sorting: _, ...given } = query;
  const list = { name: "listImages", accountId, filters: { ...given, sort: sorting.by, order: sorting.order } };
  const after = readCursor<SortPosition>(account, list, cursor);
  const offset = (page - 1) * limit;
  if (offset + limit > MAX_SORTED_ITEMS && page > 1) {
    throw ERRORS.InvalidPaging({
      page: `Pages of this \`sort\` reach ${MAX_SORTED_ITEMS} items; follow \`cursor\``,
    });
  }
  const filter = await toUploadFilter(account, given);
  const sorted = { library, accountId, filter, sorting, limit, offset, after };
  const listing = await listSorted(sorted, (work) => takeListingTurn(account, work));
  if (listing === undefined) throw ERRORS.FolderNotFound();
  const { rows, total, next } = listing;
  return { rows, total, nextCursor: next === null ? null : toCursor(account, list, [...next]) };
}
