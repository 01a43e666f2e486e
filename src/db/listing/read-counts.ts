import { type SQL, sql } from "drizzle-orm";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Library } from "../library/library.ts";
import { uploadCounts } from "../library/schema.ts";
import type { UploadFilter } from "./upload-filter.ts";

/** Counts of the uploads that meet each criterion of a filter, judged by itself, within its statuses and its folder. */
export interface ListingCounts {
  readonly all: number;
  /** Uploads of every status and folder; read only for a search for names or bytes, and for an order of its own. */
  readonly library: number;
  readonly favorite: number;
  /** Uploads created within the days. */
  readonly days: number;
  readonly tags: ReadonlyMap<string, number>;
  /** Counts by status, then by MIME type. Every upload has one. */
  readonly types: ReadonlyMap<UploadStatus, ReadonlyMap<string, number>>;
}

export interface CountRow {
  readonly facet: "library" | "type" | "day" | "favorite" | "tag";
  readonly status: UploadStatus;
  readonly value: string;
  readonly count: number;
}

/** The statement for `toCounts`: a few rows of `upload_counts`, and one for each day of the range. */
export function selectCounts(
  library: Library,
  accountId: string,
  filter: UploadFilter,
  needsLibrary = filter.search !== undefined || filter.sha256 !== undefined,
) {
  const tags = [
    ...filter.tags,
    ...filter.excludedTags,
    ...(filter.search?.tag === undefined ? [] : [filter.search.tag]),
  ];
  const facets = ["type", ...(filter.favorite === undefined ? [] : ["favorite"])];
  const place = sql`account_id = ${accountId} AND folder_id = ${countedFolder(filter.folderId)}`;
  const within = (facet: SQL) => sql`
    FROM ${uploadCounts} WHERE ${place} AND facet ${facet} AND status IN ${statusesOf(filter.status)}`;
  const parts = [
    sql`SELECT facet, status, value, count ${within(sql`IN ${facets}`)}`,
    tags.length === 0
      ? undefined
      : sql`SELECT facet, status, value, count ${within(sql`= 'tag'`)}
          AND value IN (SELECT value FROM json_each(${JSON.stringify(tags)}))`,
    filter.from === undefined && filter.to === undefined
      ? undefined
      : sql`SELECT 'day', status, '', sum(count) ${within(sql`= 'day'`)}
          AND value >= ${filter.from ?? ""} AND value <= ${filter.to ?? "9999"} GROUP BY status`,
    !needsLibrary
      ? undefined
      : sql`SELECT 'library', status, '', count FROM ${uploadCounts}
          WHERE account_id = ${accountId} AND folder_id = '*' AND facet = 'type'`,
  ];
  const columns = {
    facet: sql<CountRow["facet"]>`facet`,
    status: sql<UploadStatus>`status`,
    value: sql<string>`value`,
    count: sql<number>`count`,
  };
  return library.select(columns).from(
    sql`(${sql.join(
      parts.filter((part) => part !== undefined),
      sql` UNION ALL `,
    )})`,
  );
}

/** The number of uploads of the statuses in the folder, as a statement in brackets. */
export function countAll(accountId: string, { folderId, status }: UploadFilter): SQL {
  return sql`(SELECT ifnull(sum(count), 0) FROM ${uploadCounts} WHERE account_id = ${accountId} AND folder_id = ${countedFolder(folderId)}
    AND facet = 'type' AND status IN ${statusesOf(status)})`;
}

export function toCounts(rows: readonly CountRow[]): ListingCounts {
  const sum = (facet: CountRow["facet"]) =>
    rows.reduce((total, row) => (row.facet === facet ? total + row.count : total), 0);
  const tags = new Map<string, number>();
  const types = new Map<UploadStatus, Map<string, number>>();
  for (const { facet, status, value, count } of rows) {
    if (facet === "tag") tags.set(value, (tags.get(value) ?? 0) + count);
    if (facet === "type") types.set(status, (types.get(status) ?? new Map()).set(value, count));
  }
  return {
    all: sum("type"),
    library: sum("library"),
    favorite: sum("favorite"),
    days: sum("day"),
    tags,
    types,
  };
}

/** The name of a folder in `upload_counts`. */
export function countedFolder(folderId: string | null | undefined): string {
  return folderId === undefined ? "*" : (folderId ?? "");
}

export function statusesOf(status: UploadFilter["status"]): UploadStatus[] {
  return status === "all" ? ["active", "trash"] : [status];
}
