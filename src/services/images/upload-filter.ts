import { searchNames } from "../../db/listing/search-grams.ts";
import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { accountPrefix } from "../../domain/object-key.ts";
import type { AccountContext } from "../context.ts";
import { readListFolder } from "./list-folder.ts";

/** What a client says of the uploads that it means. */
export interface ListFilter extends Omit<UploadFilter, "folderId" | "search"> {
  /** A part of a file name, in any case, or a whole tag; in NFC, not empty. */
  readonly search?: string | undefined;
  /** A folder's id, `root` or `all`. */
  readonly folderId?: string | undefined;
}

/** @throws ServiceError 404 for a folder that is none */
export function toUploadFilter(
  { accountId }: Pick<AccountContext, "accountId">,
  { folderId, search, ...filter }: ListFilter,
): UploadFilter {
  return {
    ...filter,
    folderId: readListFolder(folderId, { status: filter.status, isSearch: search !== undefined }),
    search:
      search === undefined
        ? undefined
        : { tag: search, names: searchNames(accountId, accountPrefix(accountId), search) },
  };
}
