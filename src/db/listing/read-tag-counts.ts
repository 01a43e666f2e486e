import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { uploadCounts } from "../library/schema.ts";
import type { InTurn } from "./list-uploads.ts";
import { countedFolder } from "./read-counts.ts";
import { foldText } from "./search-grams.ts";

/** The number of tags that one statement reads. It equals the number of uploads that a listing's statement reads. */
const MAX_TAGS_A_STEP = 20_000;
/**
 * The number of tags that one search statement reads. The database cannot fold text, so tags are folded here, which takes some
 * milliseconds.
 */
const MAX_FOLDED_A_STEP = 2000;
/** Steps that do not wait for a turn. */
const FREE_STEPS = 2;
/** Tags after this many are not shown, because no one chooses from a list of a million. */
const MAX_LOOKED_AT = 1_000_000;

export interface TagCount {
  readonly tag: string;
  /** The number of active uploads with the tag. */
  readonly count: number;
}

/** The order by name follows an index, and stays the same while counts change. */
export type TagOrder = "count" | "name";

export interface TagQuery {
  readonly library: Library;
  readonly accountId: string;
  /** A folder, without its subfolders; undefined for every folder. */
  readonly folderId: string | undefined;
  /** A part of the tag in any case, with or without accents. */
  readonly text: string | undefined;
  readonly sort: TagOrder;
  /** Only tags after this one, in the order of `sort`. */
  readonly after: TagCount | undefined;
  readonly limit: number;
}

/**
 * Returns the tags of active uploads by name, or most used first and equally used ones in alphabetical order. No index has the order by
 * count, because counts change with every upload. So all tags are read for it, in steps of one short statement.
 * @param inTurn makes a walk of many steps wait for its turn; it may throw if the wait is too long
 */
export async function readTagCounts(query: TagQuery, inTurn: InTurn): Promise<TagCount[]> {
  return (await walkTags(query, FREE_STEPS)) ?? (await inTurn(async () => (await walkTags(query)) ?? []));
}

/** @returns undefined if it takes more steps */
async function walkTags(query: TagQuery, maxSteps = Number.POSITIVE_INFINITY): Promise<TagCount[] | undefined> {
  const { text, sort, limit } = query;
  const folded = text === undefined ? undefined : foldText(text);
  // An accent alone folds to nothing and finds no tag.
  if (folded === "") return [];
  const byName = sort === "name";
  const size = folded !== undefined ? MAX_FOLDED_A_STEP : byName ? limit : MAX_TAGS_A_STEP;
  let best: readonly TagCount[] = [];
  let from = byName ? query.after?.tag : undefined;
  for (let step = 0; step < maxSteps; step++) {
    const readStep = folded === undefined && !byName ? readMost : readStretch;
    const { tags, last } = await readStep(query, from, size);
    const found = folded === undefined ? tags : tags.filter(({ tag }) => foldText(tag).includes(folded));
    // The sort is stable, so tags with the same count stay in alphabetical order.
    const all = byName ? [...best, ...found] : [...best, ...found].sort((a, b) => b.count - a.count);
    best = all.slice(0, limit);
    const isFull = byName && best.length === limit;
    if (isFull || last === undefined || (step + 1) * size >= MAX_LOOKED_AT) return [...best];
    from = last;
  }
  return undefined;
}

interface Step {
  readonly tags: readonly TagCount[];
  /** The last tag that the step read; undefined at the end. */
  readonly last: string | undefined;
}

/** The most used tags of a part. */
async function readMost(query: TagQuery, from: string | undefined, size: number): Promise<Step> {
  const { library, limit } = query;
  // The outer join keeps `last` if no tag of the part is wanted.
  const step = sql`(
    WITH stretch AS MATERIALIZED (SELECT tag, count, wanted FROM ${selectTags(query, from, size)})
    SELECT tag, count, last
    FROM (SELECT iif(count(*) < ${size}, NULL, max(tag)) AS last FROM stretch)
    LEFT JOIN (SELECT tag, count FROM stretch WHERE wanted ORDER BY count DESC, tag LIMIT ${limit})
    ORDER BY count DESC, tag
  )`;
  const rows = await library
    .select({ tag: sql<string | null>`tag`, count: sql<number>`count`, last: sql<string | null>`last` })
    .from(step)
    .all();
  const tags = rows.flatMap(({ tag, count }) => (tag === null ? [] : [{ tag, count }]));
  return { tags, last: rows[0]?.last ?? undefined };
}

/** All wanted tags of a part. */
async function readStretch(query: TagQuery, from: string | undefined, size: number): Promise<Step> {
  const rows = await selectTags(query, from, size).all();
  const tags = rows.filter(({ wanted }) => wanted === 1).map(({ tag, count }) => ({ tag, count }));
  return { tags, last: rows.length < size ? undefined : rows.at(-1)?.tag };
}

/** The next tags by name. `wanted` is 0 if an earlier page by count has the tag. */
function selectTags({ library, accountId, folderId, sort, after }: TagQuery, from: string | undefined, size: number) {
  const { count, value } = uploadCounts;
  const isWanted =
    sort === "name" || after === undefined
      ? sql<number>`1`
      : sql<number>`(${count} < ${after.count} OR (${count} = ${after.count} AND ${value} > ${after.tag}))`;
  return library
    .select({ tag: sql<string>`${value}`.as("tag"), count, wanted: isWanted.as("wanted") })
    .from(uploadCounts)
    .where(
      and(
        eq(uploadCounts.accountId, accountId),
        eq(uploadCounts.folderId, countedFolder(folderId)),
        eq(uploadCounts.facet, "tag"),
        eq(uploadCounts.status, "active"),
        from === undefined ? undefined : gt(value, from),
      ),
    )
    .orderBy(asc(value))
    .limit(size);
}
