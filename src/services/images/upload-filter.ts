import { type NameSearch, searchNames } from "../../db/listing/search-grams.ts";
import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { findAddressedFile } from "../../domain/file-address.ts";
import { accountPrefix } from "../../domain/object-key.ts";
import type { AccountContext } from "../context.ts";
import { readListFolder } from "./list-folder.ts";

/** A client's description of the uploads it means. */
export interface ListFilter extends Omit<UploadFilter, "folderId" | "search"> {
  /** Part of a file name in any case, a whole tag, or a file's path or URL; in NFC, not empty. */
  readonly search?: string | undefined;
  /** The client's own id of one upload, instead of `search`. */
  readonly externalId?: string | undefined;
  /** A folder's id, `root` or `all`. */
  readonly folderId?: string | undefined;
}

/** @throws ServiceError as `readListFolder` */
export async function toUploadFilter(
  account: AccountContext,
  { folderId, search, externalId, ...filter }: ListFilter,
): Promise<UploadFilter> {
  const { accountId } = account;
  const isSearch = [search, externalId, filter.sha256].some((sought) => sought !== undefined);
  return {
    ...filter,
    folderId: await readListFolder(account, folderId, { status: filter.status, isSearch }),
    search: searchOf(accountId, { search, externalId }),
  };
}

/** The search for a text, or for one upload's own id of the client. */
export function searchOf(
  accountId: string,
  { search, externalId }: Pick<ListFilter, "search" | "externalId">,
): UploadFilter["search"] {
  return externalId === undefined ? searchText(accountId, search) : searchExternalId(externalId);
}

function searchText(accountId: string, text: string | undefined): UploadFilter["search"] {
  if (text === undefined) return undefined;
  const names = searchAddress(accountId, text) ?? searchNames(accountId, accountPrefix(accountId), text);
  return { tag: text, names };
}

function searchExternalId(externalId: string): UploadFilter["search"] {
  return { tag: undefined, names: { found: "some", match: { externalId }, isPrefix: false } };
}

/** The search for the file of a path or URL, which needs one look-up. @returns undefined if the text is neither */
function searchAddress(accountId: string, text: string): NameSearch | undefined {
  const file = findAddressedFile(text);
  if (file === undefined) return undefined;
  if (file.accountId !== accountId) return { found: "none" };
  return { found: "some", match: { uploadId: file.uploadId }, isPrefix: false };
}
