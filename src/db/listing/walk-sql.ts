import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/calendar.ts";
import type { Orientation } from "../../domain/orientation.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { numberAt } from "../library/uploads.ts";
import type { Conditions, Plan } from "./plan-listing.ts";
import type { Match } from "./search-grams.ts";
import { KNOWN_PREFIXES, prefixesOf } from "./upload-filter.ts";

/** An account's folder: an id, null for Root, undefined for every folder. */
export interface WalkPlace {
  readonly accountId: string;
  readonly folderId: string | null | undefined;
}

/** A part of a path: `size` uploads, newest first, after a position or from the beginning. */
export interface Stretch {
  readonly after: string | undefined;
  readonly size: number;
}

/**
 * A part of a plan's path as SQL: each upload's number as `listed`, and whether the listing shows it as `shown`. It reads exactly this
 * part, even if few of its uploads are shown. Indexes are named, because SQLite has no statistics here to choose one.
 */
export function stretchSql(place: WalkPlace, plan: Plan, { after, size }: Stretch): SQL {
  const shown = shownConditions(place, plan);
  return sql`
    SELECT p.listed AS listed, ${shown.length === 0 ? sql`1` : sql`iif(${sql.join(shown, sql` AND `)}, 1, 0)`} AS shown
    FROM (${pathSql(place, plan, after)} LIMIT ${size}) AS p
    ${looksAtRows(plan) ? sql`CROSS JOIN uploads AS u ON u.number = p.listed` : sql``}`;
}

/**
 * Counts the uploads that have any of the tags, as `tagged`, in a part of the tag entries. The part ends at the position `last`, or at the
 * last entry if that is null. For each tag at most `size` entries are read.
 */
export function taggedSql(
  place: WalkPlace,
  statuses: readonly UploadStatus[],
  tags: readonly string[],
  { after, size }: Stretch,
): SQL {
  const each = sql`json_each(${JSON.stringify(tags)}) AS w CROSS JOIN json_each(${JSON.stringify(statuses)}) AS s`;
  const entries = sql`${tagTable(place)} AS t
    WHERE t.account_id = ${place.accountId} ${taggedIn(place, sql`t`)} AND t.status = s.value AND t.tag = w.value
      ${olderThan(sql`t.number`, after)}`;
  return sql`
    WITH stretch AS MATERIALIZED (
      SELECT max((SELECT t.number FROM ${entries} ORDER BY t.number DESC LIMIT 1 OFFSET ${size - 1})) AS last FROM ${each}
    )
    SELECT CAST(last AS TEXT) AS last, (
      SELECT count(DISTINCT t.number) FROM ${each} CROSS JOIN ${entries} AND t.number >= ifnull(stretch.last, 0)
    ) AS tagged
    FROM stretch`;
}

/** Whether a listing hides some of the uploads on its path. */
export function hasConditions(place: WalkPlace, plan: Plan): boolean {
  return shownConditions(place, plan).length > 0;
}

/** The numbers of the uploads on a path, as `listed`, newest first. All arms are in order, so they are merged without sorting. */
export function pathSql(place: WalkPlace, plan: Plan, after: string | undefined): SQL {
  const { arms, overlapping } = armsSql(place, plan, after);
  return sql`${sql.join([...arms], overlapping ? sql` UNION ` : sql` UNION ALL `)} ORDER BY listed DESC`;
}

interface Arms {
  readonly arms: readonly SQL[];
  /** An upload can be on two arms. */
  readonly overlapping: boolean;
}

function armsSql(place: WalkPlace, { path, statuses, conditions }: Plan, after: string | undefined): Arms {
  const range = (number: SQL) => sql`${withinDays(number, conditions)} ${olderThan(number, after)}`;
  const byUploads = (index: string, status: UploadStatus, extra: SQL) => sql`
    SELECT u.number AS listed, ${status} AS status FROM uploads AS u INDEXED BY ${sql.raw(index)}
    WHERE ${uploadsIn(place)} AND u.status = ${status} ${extra} ${range(sql`u.number`)}`;
  const byTag = (tag: string, status: UploadStatus, columns: SQL) => sql`
    SELECT t.number AS listed ${columns} FROM ${tagTable(place)} AS t
    WHERE t.account_id = ${place.accountId} ${taggedIn(place, sql`t`)} AND t.status = ${status} AND t.tag = ${tag}
      ${range(sql`t.number`)}`;
  const apart = (arms: readonly SQL[]) => ({ arms, overlapping: false });
  const inFolder = place.folderId !== undefined;
  switch (path.by) {
    case "place":
      return apart(statuses.map((status) => byUploads(placeIndex(place), status, sql``)));
    case "favorite": {
      const index = inFolder ? "favorites_by_folder" : "favorites_by_status";
      return apart(statuses.map((status) => byUploads(index, status, sql`AND u.favorite = 1`)));
    }
    case "takedown":
      return apart(statuses.map((status) => byUploads("takedowns_by_status", status, sql`AND u.takedown IS NOT NULL`)));
    case "type": {
      const index = inFolder ? "uploads_by_folder_type" : "uploads_by_type";
      const arm = ({ status, mimeType }: (typeof path.types)[number]) =>
        byUploads(index, status, sql`AND u.mime_type = ${mimeType}`);
      return apart(path.types.map(arm));
    }
    case "tag":
      return apart(statuses.map((status) => byTag(path.tag, status, sql`, ${status} AS status`)));
    case "search": {
      const { match, tag } = path;
      if (typeof match === "object" && "sha256" in match) {
        const byHash = (index: string, column: SQL) => sql`
        SELECT u.number AS listed FROM uploads AS u INDEXED BY ${sql.raw(index)}
        WHERE u.account_id = ${place.accountId} AND ${column} = ${match.sha256} ${range(sql`u.number`)}`;
        return apart([
          byHash("uploads_by_sha256", sql`u.sha256`),
          byHash("uploads_by_uploaded_sha256", sql`u.uploaded_sha256`),
        ]);
      }
      const found =
        typeof match === "string"
          ? sql`
        SELECT s.rowid AS listed FROM upload_search AS s WHERE s.grams MATCH ${match} ${range(sql`s.rowid`)}`
          : sql`
        SELECT u.number AS listed FROM uploads AS u ${soughtRow(match)} AND u.account_id = ${place.accountId} ${range(sql`u.number`)}`;
      const tagged = tag === undefined ? [] : statuses.map((status) => byTag(tag, status, sql``));
      return { arms: [found, ...tagged], overlapping: tagged.length > 0 };
    }
  }
}

function soughtRow(match: Exclude<Match, string | { readonly sha256: string }>): SQL {
  return "uploadId" in match
    ? sql`INDEXED BY uploads_id_unique WHERE u.id = ${match.uploadId}`
    : sql`INDEXED BY uploads_by_external_id WHERE u.external_id = ${match.externalId}`;
}

/** The conditions on the row `u`, or on the path's own `p`, for an upload to be shown. */
function shownConditions(place: WalkPlace, plan: Plan): SQL[] {
  const { path, statuses, conditions } = plan;
  const isFound = path.by === "search" && !path.everywhere;
  const status = path.by === "search" ? sql`u.status` : sql`p.status`;
  return [
    ...(isFound ? [sql`${uploadsIn(place)} AND u.status IN ${statuses}`] : []),
    ...rowConditions(conditions),
    ...tagConditions(place, conditions, status),
  ];
}

/** All conditions of a listing on a row `u`, for an index that is not the listing's own. `p.listed` is its number. */
export function rowShown(place: WalkPlace, { statuses, conditions }: Pick<Plan, "statuses" | "conditions">): SQL {
  const all = [
    uploadsIn(place),
    sql`u.status IN ${statuses}`,
    sql`1 ${withinDays(sql`u.number`, conditions)}`,
    ...rowConditions(conditions),
    ...tagConditions(place, conditions, sql`u.status`),
  ];
  return sql`iif(${sql.join(all, sql` AND `)}, 1, 0)`;
}

function looksAtRows({ path, conditions }: Plan): boolean {
  if (path.by === "search" && !path.everywhere) return true;
  return rowConditions(conditions).length > 0;
}

/** The index with a place's uploads in the order of listings. */
export function placeIndex({ folderId }: WalkPlace): string {
  return folderId === undefined ? "uploads_by_status" : "uploads_by_folder";
}

export function uploadsIn({ accountId, folderId }: WalkPlace): SQL {
  const folder =
    folderId === undefined
      ? sql``
      : folderId === null
        ? sql`AND u.folder_id IS NULL`
        : sql`AND u.folder_id = ${folderId}`;
  return sql`u.account_id = ${accountId} ${folder}`;
}

function tagTable({ folderId }: WalkPlace): SQL {
  return sql.raw(folderId === undefined ? "upload_tags" : "folder_tags");
}

function taggedIn({ folderId }: WalkPlace, table: SQL): SQL {
  return folderId === undefined ? sql`` : sql`AND ${table}.folder_id = ${folderId ?? ""}`;
}

function withinDays(number: SQL, { from, to }: Conditions): SQL {
  return sql.join([
    ...(from === undefined ? [] : [sql`AND ${number} >= ${numberAt(Date.parse(from))}`]),
    ...(to === undefined ? [] : [sql`AND ${number} < ${numberAt(Date.parse(to) + DAY_MS)}`]),
  ]);
}

/** Uploads after a position in the newest-first order. The position is bound as text: it does not fit in a JavaScript number. */
export function olderThan(number: SQL, after: string | undefined): SQL {
  return after === undefined ? sql`` : sql`AND ${number} < CAST(${after} AS INTEGER)`;
}

function rowConditions(conditions: Conditions): SQL[] {
  const { mimePrefix, minSizeBytes, maxSizeBytes, favorite, sha256, visibility } = conditions;
  const { takenFrom, takenTo, camera, orientation, expires, expiresFrom, expiresTo, hasAlt, takenDown } = conditions;
  return [
    ...daysOf(sql`u.taken_at`, takenFrom, takenTo),
    ...(mimePrefix === undefined ? [] : [typeCondition(mimePrefix)]),
    ...(minSizeBytes === undefined ? [] : [sql`u.size_bytes >= ${minSizeBytes}`]),
    ...(maxSizeBytes === undefined ? [] : [sql`u.size_bytes <= ${maxSizeBytes}`]),
    ...(favorite === undefined ? [] : [sql`u.favorite = ${favorite ? 1 : 0}`]),
    ...(sha256 === undefined ? [] : [sql`(u.sha256 = ${sha256} OR u.uploaded_sha256 = ${sha256})`]),
    ...(visibility === undefined ? [] : [sql`u.visibility = ${visibility}`]),
    ...(camera === undefined ? [] : [sql`instr(lower(u.camera), lower(${camera})) > 0`]),
    ...(orientation === undefined ? [] : [ORIENTED[orientation]]),
    ...(expires === undefined ? [] : [expires ? sql`u.expires_at IS NOT NULL` : sql`u.expires_at IS NULL`]),
    ...daysOf(sql`u.expires_at`, expiresFrom, expiresTo),
    ...(hasAlt === undefined ? [] : [hasAlt ? sql`u.alt IS NOT NULL` : sql`u.alt IS NULL`]),
    ...(takenDown === undefined ? [] : [takenDown ? sql`u.takedown IS NOT NULL` : sql`u.takedown IS NULL`]),
  ];
}

/** An unknown size is 0. */
const ORIENTED: Readonly<Record<Orientation, SQL>> = {
  landscape: sql`u.width > u.height`,
  portrait: sql`u.height > u.width`,
  square: sql`(u.width = u.height AND u.width > 0)`,
};

/** @param time milliseconds; null meets no condition */
function daysOf(time: SQL, from: string | undefined, to: string | undefined): SQL[] {
  return [
    ...(from === undefined ? [] : [sql`${time} >= ${Date.parse(from)}`]),
    ...(to === undefined ? [] : [sql`${time} < ${Date.parse(to) + DAY_MS}`]),
  ];
}

function typeCondition(mimePrefix: string): SQL {
  const conditions = prefixesOf(mimePrefix).map((prefix) =>
    prefix === "other"
      ? sql`substr(u.mime_type, 1, 6) NOT IN ${KNOWN_PREFIXES}`
      : sql`substr(u.mime_type, 1, ${prefix.length}) = ${prefix}`,
  );
  return sql`(${sql.join(conditions, sql` OR `)})`;
}

/** All tags are one bound value: D1 takes at most 100. */
function tagConditions(place: WalkPlace, { tags, excludedTags }: Conditions, status: SQL): SQL[] {
  const tagged = (wanted: readonly string[]) => sql`
    FROM json_each(${JSON.stringify(wanted)}) AS w CROSS JOIN ${tagTable(place)} AS x
    WHERE x.account_id = ${place.accountId} ${taggedIn(place, sql`x`)} AND x.status = ${status}
      AND x.tag = w.value AND x.number = p.listed`;
  return [
    ...(tags.length === 0 ? [] : [sql`(SELECT count(*) ${tagged(tags)}) = ${tags.length}`]),
    ...(excludedTags.length === 0 ? [] : [sql`NOT EXISTS (SELECT 1 ${tagged(excludedTags)})`]),
  ];
}
