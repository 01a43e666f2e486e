import { desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { type Upload, uploads } from "../library/schema.ts";
import { uploadColumns } from "../library/uploads.ts";
import type { Plan } from "./plan-listing.ts";
import type { Slice, UploadFilter } from "./upload-filter.ts";
import { behind, type Place, pathSql, type Stretch, stretchSql, taggedSql } from "./walk-sql.ts";

/** Which listing is read, and where. */
export interface Asked {
  readonly library: Library;
  readonly accountId: string;
  readonly filter: UploadFilter;
  readonly slice: Slice;
}

export interface Row {
  readonly upload: Upload;
  readonly position: string;
}

/** Which uploads, whatever slice of them. */
export type Searched = Omit<Asked, "slice">;

export function placeOf({ accountId, filter }: Searched): Place {
  return { accountId, folderId: filter.folderId };
}

/** A slice of a path all of which is shown, and one row more, which tells whether there are more. */
export function selectPage(asked: Asked, plan: Plan) {
  const { limit, offset, after } = asked.slice;
  const path = pathSql(placeOf(asked), plan, after);
  return asked.library
    .select({ upload: uploadColumns, position: positionOf(uploads.number) })
    .from(uploads)
    .where(inArray(uploads.number, sql`(SELECT listed FROM (${path} LIMIT ${limit + 1} OFFSET ${offset}))`))
    .orderBy(desc(uploads.number));
}

/**
 * What a stretch comes to, with each upload of it that the slice has; one row without an upload where there is none. Those
 * that are shown are gathered only as long as the slice wants any.
 */
export function selectStep(asked: Asked, plan: Plan, stretch: Stretch, slice: Slice) {
  return asked.library
    .select({
      walked: sql<number>`step.walked`,
      last: positionOf(sql`step.last`),
      shown: sql<number>`step.shown`,
      position: positionOf(sql`step.listed`),
      upload: uploadColumns,
    })
    .from(stepSql(asked, plan, stretch, slice))
    .leftJoin(uploads, eq(uploads.number, sql`step.listed`))
    .orderBy(desc(sql`step.listed`));
}

/** The same with the ids alone, at most so many. */
export function selectMatches(asked: Searched, plan: Plan, stretch: Stretch, limit: number) {
  return asked.library
    .select({
      walked: sql<number>`step.walked`,
      last: positionOf(sql`step.last`),
      position: positionOf(sql`step.listed`),
      id: uploads.id,
    })
    .from(stepSql(asked, plan, stretch, { limit, offset: 0 }))
    .leftJoin(uploads, eq(uploads.number, sql`step.listed`))
    .orderBy(desc(sql`step.listed`));
}

function stepSql(asked: Searched, plan: Plan, stretch: Stretch, { limit, offset, after }: Slice): SQL {
  const isWanted = limit > 0 && offset < stretch.size;
  const shown = isWanted ? sql`json_group_array(listed) FILTER (WHERE shown ${behind(sql`listed`, after)})` : sql`'[]'`;
  return sql`(
    WITH figures AS MATERIALIZED (
      SELECT count(*) AS walked, min(listed) AS last, total(shown) AS shown, ${shown} AS found
      FROM (${stretchSql(placeOf(asked), plan, stretch)})
    )
    SELECT walked, last, shown, listed
    FROM figures LEFT JOIN (
      SELECT value AS listed FROM figures CROSS JOIN json_each(found) ORDER BY value DESC LIMIT ${limit} OFFSET ${offset}
    )
  ) AS step`;
}

/** How many of a stretch's uploads have any of the tags that are left out; `last` is null at the end. */
export function selectTagged(asked: Asked, { statuses, conditions }: Plan, stretch: Stretch) {
  const tagged = taggedSql(placeOf(asked), statuses, conditions.excludedTags, stretch);
  return asked.library.select({ tagged: sql<number>`tagged`, last: sql<string | null>`last` }).from(sql`(${tagged})`);
}

/** As text: numbers of uploads do not fit into a JavaScript number. */
function positionOf(number: SQL | typeof uploads.number): SQL<string> {
  return sql<string>`CAST(${number} AS TEXT)`;
}
