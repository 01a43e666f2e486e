import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/calendar.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { numberAt } from "../library/uploads.ts";
import type { Conditions, Plan } from "./plan-listing.ts";
import { KNOWN_PREFIXES } from "./upload-filter.ts";

/** Whose uploads, and in which folder: an id, null for Root, undefined for every folder. */
export interface Place {
  readonly accountId: string;
  readonly folderId: string | null | undefined;
}

/** Statements that each select the number, as `listed`, of the uploads on a plan's path, and are merged. */
export interface Walk {
  readonly arms: readonly SQL[];
  /** An upload can be on two of them. */
  readonly overlapping: boolean;
}

/**
 * A plan as SQL. Indexes are named, as SQLite has no statistics here to choose by.
 * @param after only what comes behind this number
 */
export function walkSql(place: Place, { path, statuses, conditions }: Plan, after?: string): Walk {
  const range = (number: SQL) => numberRange(number, conditions, after);
  const byUploads = (index: string, status: UploadStatus, extra: SQL) => sql`
    SELECT u.number AS listed FROM uploads AS u INDEXED BY ${sql.raw(index)}
    WHERE ${uploadsIn(place)} AND u.status = ${status} ${extra} ${range(sql`u.number`)}
      ${rowConditions(conditions)} ${tagConditions(place, conditions, sql`u.number`, sql`${status}`)}`;
  const byTag = (tag: string, status: UploadStatus) => sql`
    SELECT t.number AS listed FROM ${tagTable(place)} AS t ${asksRow(conditions) ? sql`CROSS JOIN uploads AS u ON u.number = t.number` : sql``}
    WHERE t.account_id = ${place.accountId} ${taggedIn(place, sql`t`)} AND t.status = ${status} AND t.tag = ${tag}
      ${range(sql`t.number`)} ${rowConditions(conditions)}
      ${tagConditions(place, conditions, sql`t.number`, sql`${status}`)}`;
  const inFolder = place.folderId !== undefined;
  switch (path.by) {
    case "place":
      return apart(
        statuses.map((status) => byUploads(inFolder ? "uploads_by_folder" : "uploads_by_status", status, sql``)),
      );
    case "favorite": {
      const index = inFolder ? "favorites_by_folder" : "favorites_by_status";
      return apart(statuses.map((status) => byUploads(index, status, sql`AND u.favorite = 1`)));
    }
    case "type": {
      const index = inFolder ? "uploads_by_folder_type" : "uploads_by_type";
      const arm = ({ status, mimeType }: (typeof path.types)[number]) =>
        byUploads(index, status, sql`AND u.mime_type = ${mimeType}`);
      return apart(path.types.map(arm));
    }
    case "tag":
      return apart(statuses.map((status) => byTag(path.tag, status)));
    case "search": {
      const { tag } = path;
      const shown = sql`${uploadsIn(place)} AND u.status IN ${statuses} ${rowConditions(conditions)}
        ${tagConditions(place, conditions, sql`u.number`, sql`u.status`)}`;
      const found = sql`
        SELECT s.rowid AS listed FROM upload_search AS s
        ${path.everywhere ? sql`` : sql`CROSS JOIN uploads AS u ON u.number = s.rowid AND ${shown}`}
        WHERE s.grams MATCH ${path.match} ${range(sql`s.rowid`)}`;
      const tagged = tag === undefined ? [] : statuses.map((status) => byTag(tag, status));
      return { arms: [found, ...tagged], overlapping: tagged.length > 0 };
    }
  }
}

/** Uploads that have any of the tags. */
export function taggedSql(place: Place, statuses: readonly UploadStatus[], tags: readonly string[]): Walk {
  return apart([
    sql`
      SELECT DISTINCT t.number AS listed FROM ${tagTable(place)} AS t
      WHERE t.account_id = ${place.accountId} ${taggedIn(place, sql`t`)} AND t.status IN ${statuses}
        AND t.tag IN (SELECT value FROM json_each(${JSON.stringify(tags)}))`,
  ]);
}

function apart(arms: readonly SQL[]): Walk {
  return { arms, overlapping: false };
}

function uploadsIn({ accountId, folderId }: Place): SQL {
  const folder =
    folderId === undefined
      ? sql``
      : folderId === null
        ? sql`AND u.folder_id IS NULL`
        : sql`AND u.folder_id = ${folderId}`;
  return sql`u.account_id = ${accountId} ${folder}`;
}

function tagTable({ folderId }: Place): SQL {
  return sql.raw(folderId === undefined ? "upload_tags" : "folder_tags");
}

function taggedIn({ folderId }: Place, table: SQL): SQL {
  return folderId === undefined ? sql`` : sql`AND ${table}.folder_id = ${folderId ?? ""}`;
}

function numberRange(number: SQL, { from, to }: Conditions, after: string | undefined): SQL {
  return sql.join([
    ...(from === undefined ? [] : [sql`AND ${number} >= ${numberAt(Date.parse(from))}`]),
    ...(to === undefined ? [] : [sql`AND ${number} < ${numberAt(Date.parse(to) + DAY_MS)}`]),
    ...(after === undefined ? [] : [sql`AND ${number} < CAST(${after} AS INTEGER)`]),
  ]);
}

function asksRow({ mimePrefix, minSizeBytes, maxSizeBytes, favorite }: Conditions): boolean {
  return [mimePrefix, minSizeBytes, maxSizeBytes, favorite].some((condition) => condition !== undefined);
}

function rowConditions({ mimePrefix, minSizeBytes, maxSizeBytes, favorite }: Conditions): SQL {
  return sql.join([
    ...(mimePrefix === undefined ? [] : [sql` AND ${typeCondition(mimePrefix)}`]),
    ...(minSizeBytes === undefined ? [] : [sql` AND u.size_bytes >= ${minSizeBytes}`]),
    ...(maxSizeBytes === undefined ? [] : [sql` AND u.size_bytes <= ${maxSizeBytes}`]),
    ...(favorite === undefined ? [] : [sql` AND u.favorite = ${favorite ? 1 : 0}`]),
  ]);
}

function typeCondition(prefix: string): SQL {
  return prefix === "other"
    ? sql`substr(u.mime_type, 1, 6) NOT IN ${KNOWN_PREFIXES}`
    : sql`substr(u.mime_type, 1, ${prefix.length}) = ${prefix}`;
}

/** However many tags, they are one bound value: D1 takes at most 100. */
function tagConditions(place: Place, { tags, excludedTags }: Conditions, number: SQL, status: SQL): SQL {
  const tagged = (wanted: readonly string[]) => sql`
    FROM json_each(${JSON.stringify(wanted)}) AS w CROSS JOIN ${tagTable(place)} AS x
    WHERE x.account_id = ${place.accountId} ${taggedIn(place, sql`x`)} AND x.status = ${status}
      AND x.tag = w.value AND x.number = ${number}`;
  return sql.join([
    ...(tags.length === 0 ? [] : [sql` AND (SELECT count(*) ${tagged(tags)}) = ${tags.length}`]),
    ...(excludedTags.length === 0 ? [] : [sql` AND NOT EXISTS (SELECT 1 ${tagged(excludedTags)})`]),
  ]);
}
