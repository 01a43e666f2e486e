import { findUploads } from "../../db/library/uploads.ts";
import { listUploads } from "../../db/listing/list-uploads.ts";
import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { ERRORS } from "../../domain/errors.ts";
import { SHARED_FILES_A_PAGE, type SharedFiles } from "../../domain/share.ts";
import type { Services } from "../context.ts";
import { takeListingTurn } from "../images/list-turns.ts";
import { searchOf } from "../images/upload-filter.ts";
import { readCursor, toCursor } from "../paging.ts";
import type { Upload } from "../records.ts";
import type { OpenShare } from "./open-share.ts";

export interface SharedPage {
  /** Active files. Files that the operator took down are left out. */
  readonly rows: readonly Upload[];
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * A page of a share's files, newest first, or in the order of its ids. It begins after a row of the index, so a late page of a large folder
 * costs as much as the first page.
 * @throws ServiceError 400 for an invalid cursor, 404 if the folder is gone
 */
export async function listSharedFiles(
  services: Services,
  opened: OpenShare,
  cursor: string | undefined,
): Promise<SharedPage> {
  const { accountId, share } = opened;
  const list = { name: "shared", accountId, filters: { share: share.id } };
  if (share.files.kind === "ids") {
    const [start = 0] = readCursor<[number]>(services, list, cursor) ?? [];
    return listIds(opened, share.files.ids, start, (position) => toCursor(services, list, [position]));
  }
  const [after] = readCursor<[string]>(services, list, cursor) ?? [];
  const query = {
    library: opened.library,
    accountId,
    filter: toFilter(accountId, share.files),
    slice: { limit: SHARED_FILES_A_PAGE, offset: 0, after },
  };
  const listing = await listUploads(query, (work) =>
    takeListingTurn({ accountId, waitUntil: services.waitUntil }, work),
  );
  if (listing === undefined) throw ERRORS.FolderNotFound();
  const { rows, total, next } = listing;
  return { rows: shown(rows), total, nextCursor: next === null ? null : toCursor(services, list, [next]) };
}

async function listIds(
  { accountId, library }: OpenShare,
  ids: readonly string[],
  start: number,
  cursorAt: (position: number) => string,
): Promise<SharedPage> {
  const end = start + SHARED_FILES_A_PAGE;
  const found = await findUploads(library, accountId, ids.slice(start, end));
  const byId = new Map(found.map((row) => [row.id, row]));
  const rows = ids.slice(start, end).flatMap((id) => byId.get(id) ?? []);
  return {
    rows: shown(rows.filter(({ status }) => status === "active")),
    total: ids.length,
    nextCursor: end < ids.length ? cursorAt(end) : null,
  };
}

function shown(rows: readonly Upload[]): readonly Upload[] {
  return rows.filter(({ takedown }) => takedown === null);
}

function toFilter(accountId: string, files: Exclude<SharedFiles, { kind: "ids" }>): UploadFilter {
  if (files.kind === "folder") {
    return { status: "active", folderId: files.folderId, tags: [], excludedTags: [] };
  }
  const { folderId, q: search, minSize, maxSize, tags = [], excludeTags = [], ...filter } = files.filter;
  return {
    ...filter,
    status: "active",
    folderId: toFolder(folderId, search !== undefined),
    minSizeBytes: minSize,
    maxSizeBytes: maxSize,
    tags,
    excludedTags: excludeTags,
    search: searchOf(accountId, { search }),
  };
}

function toFolder(named: string | null | undefined, isSearch: boolean): string | null | undefined {
  if (named === "all" || (named === undefined && isSearch)) return undefined;
  return named === undefined || named === "root" ? null : named;
}
