import { desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { type Upload, uploads } from "../library/schema.ts";
import { toUpload, uploadValues } from "../library/upload-values.ts";
import { uploadColumns } from "../library/uploads.ts";
import type { Plan } from "./plan-listing.ts";
import { countAll, statusesOf } from "./read-counts.ts";
import type { Slice, UploadFilter } from "./upload-filter.ts";
import {
  olderThan,
  pathSql,
  placeIndex,
  type Stretch,
  stretchSql,
  taggedSql,
  uploadsIn,
  type WalkPlace,
} from "./walk-sql.ts";

/** A listing to read. */
export interface ListingQuery {
  readonly library: Library;
  readonly accountId: string;
  readonly filter: UploadFilter;
  readonly slice: Slice;
}

export interface Row {
  readonly upload: Upload;
  readonly position: string;
}

/** A listing's uploads, without a slice. */
export type UploadQuery = Omit<ListingQuery, "slice">;

export function placeOf({ accountId, filter }: UploadQuery): WalkPlace {
  return { accountId, folderId: filter.folderId };
}

/** Selects a slice of a path whose uploads are all shown, plus one row that shows whether there are more. */
export function selectPage(query: ListingQuery, plan: Plan) {
  return query.library
    .select({ upload: uploadColumns, position: positionOf(uploads.number) })
    .from(uploads)
    .where(inArray(uploads.number, pageSql(query, plan)))
    .orderBy(desc(uploads.number));
}

/** A row of a place's slice, and the number of all uploads in the place. */
export interface PlaceRow extends Row {
  readonly total: number;
}

/**
 * Reads a slice of a place, whose uploads are all shown, with its total, in one statement. An empty slice has no rows, and so no total. SQLite
 * would prepare the statement again for each value of a bound limit. The numbers of uploads stay in the statement, because they are no safe
 * integers of JavaScript.
 */
export async function readPlace(query: ListingQuery): Promise<PlaceRow[]> {
  const { library, accountId, filter, slice } = query;
  const { limit, offset, after } = slice;
  const place = placeOf(query);
  const arms = statusesOf(filter.status).map(
    (status) => sql`
    SELECT ${countAll(accountId, filter)} AS total, ${positionOf(sql`u.number`)} AS position, u.number AS listed, ${uploadValues}
    FROM uploads AS u INDEXED BY ${sql.raw(placeIndex(place))}
    WHERE ${uploadsIn(place)} AND u.status = ${status} ${olderThan(sql`u.number`, after)}`,
  );
  const rows = await library.values<[total: number, position: string, ...upload: unknown[]]>(sql`
    SELECT total, position, ${uploadValues} FROM (
      ${sql.join(arms, sql` UNION ALL `)} ORDER BY listed DESC LIMIT ${sql.raw(String(limit + 1))} OFFSET ${offset}
    ) ORDER BY listed DESC`);
  return rows.map((values) => {
    const [total, position] = values;
    return { total, position, upload: toUpload(values, FIRST_COLUMN) };
  });
}

/** The values before the upload's in a row of `readPlace`. */
const FIRST_COLUMN = 2;

function pageSql(query: ListingQuery, plan: Plan): SQL {
  const { limit, offset, after } = query.slice;
  return sql`(SELECT listed FROM (${pathSql(placeOf(query), plan, after)} LIMIT ${limit + 1} OFFSET ${offset}))`;
}

/**
 * Selects a part's figures and each of its uploads in the slice; one row without an upload if there is none. Uploads are gathered only
 * while the slice needs more.
 */
export function selectStep(query: ListingQuery, plan: Plan, stretch: Stretch, slice: Slice) {
  return query.library
    .select({
      walked: sql<number>`step.walked`,
      last: positionOf(sql`step.last`),
      shown: sql<number>`step.shown`,
      position: positionOf(sql`step.listed`),
      upload: uploadColumns,
    })
    .from(stepSql(query, plan, stretch, slice))
    .leftJoin(uploads, eq(uploads.number, sql`step.listed`))
    .orderBy(desc(sql`step.listed`));
}

/** The same statement with ids only, at most `limit`. */
export function selectMatches(query: UploadQuery, plan: Plan, stretch: Stretch, limit: number) {
  return query.library
    .select({
      walked: sql<number>`step.walked`,
      last: positionOf(sql`step.last`),
      position: positionOf(sql`step.listed`),
      id: uploads.id,
    })
    .from(stepSql(query, plan, stretch, { limit, offset: 0 }))
    .leftJoin(uploads, eq(uploads.number, sql`step.listed`))
    .orderBy(desc(sql`step.listed`));
}

function stepSql(query: UploadQuery, plan: Plan, stretch: Stretch, { limit, offset, after }: Slice): SQL {
  const isWanted = limit > 0 && offset < stretch.size;
  const shown = isWanted
    ? sql`json_group_array(listed) FILTER (WHERE shown ${olderThan(sql`listed`, after)})`
    : sql`'[]'`;
  return sql`(
    WITH figures AS MATERIALIZED (
      SELECT count(*) AS walked, min(listed) AS last, total(shown) AS shown, ${shown} AS found
      FROM (${stretchSql(placeOf(query), plan, stretch)})
    )
    SELECT walked, last, shown, listed
    FROM figures LEFT JOIN (
      SELECT value AS listed FROM figures CROSS JOIN json_each(found) ORDER BY value DESC LIMIT ${limit} OFFSET ${offset}
    )
  ) AS step`;
}

/** Counts a part's uploads that have any of the excluded tags; `last` is null at the end. */
export function selectTagged(query: ListingQuery, { statuses, conditions }: Plan, stretch: Stretch) {
  const tagged = taggedSql(placeOf(query), statuses, conditions.excludedTags, stretch);
  return query.library.select({ tagged: sql<number>`tagged`, last: sql<string | null>`last` }).from(sql`(${tagged})`);
}

/** The number is a text, because an upload's number does not fit in a JavaScript number. */
function positionOf(number: SQL | typeof uploads.number): SQL<string> {
  return sql<string>`CAST(${number} AS TEXT)`;
}
