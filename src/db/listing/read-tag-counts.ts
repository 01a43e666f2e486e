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

export interface TagQuery {
  readonly library: Library;
  readonly accountId: string;
  /** A folder, without its subfolders; undefined for every folder. */
  readonly folderId: string | undefined;
  /** A part of the tag in any case, with or without accents. */
  readonly text: string | undefined;
  readonly limit: number;
}

/**
 * Returns the tags of active uploads, most used first, equally used ones in alphabetical order. No index has this order, because counts
 * change with every upload. So all tags are read, in steps of one short statement.
 * @param inTurn makes a walk of many steps wait for its turn; it may throw if the wait is too long
 */
export async function readTagCounts(query: TagQuery, inTurn: InTurn): Promise<TagCount[]> {
  return (await walkTags(query, FREE_STEPS)) ?? (await inTurn(async () => (await walkTags(query)) ?? []));
}

/** @returns undefined if it takes more steps */
async function walkTags(query: TagQuery, maxSteps = Number.POSITIVE_INFINITY): Promise<TagCount[] | undefined> {
  const folded = query.text === undefined ? undefined : foldText(query.text);
  // An accent alone folds to nothing and finds no tag.
  if (folded === "") return [];
  const size = folded === undefined ? MAX_TAGS_A_STEP : MAX_FOLDED_A_STEP;
  let most: readonly TagCount[] = [];
  let after: string | undefined;
  for (let step = 0; step < maxSteps; step++) {
    const { tags, last } =
      folded === undefined ? await readMost(query, after, size) : await readStretch(query, after, size);
    const found = folded === undefined ? tags : tags.filter(({ tag }) => foldText(tag).includes(folded));
    // The sort is stable, so tags with the same count stay in alphabetical order.
    most = [...most, ...found].sort((a, b) => b.count - a.count).slice(0, query.limit);
    if (last === undefined || (step + 1) * size >= MAX_LOOKED_AT) return [...most];
    after = last;
  }
  return undefined;
}

interface Step {
  readonly tags: readonly TagCount[];
  /** The last tag that the step read; undefined at the end. */
  readonly last: string | undefined;
}

/** The most used tags of a part. */
async function readMost(query: TagQuery, after: string | undefined, size: number): Promise<Step> {
  const { library, limit } = query;
  const step = sql`(
    WITH stretch AS MATERIALIZED (SELECT tag, count FROM ${selectTags(query, after, size)})
    SELECT tag, count, (SELECT iif(count(*) < ${size}, NULL, max(tag)) FROM stretch) AS last
    FROM stretch ORDER BY count DESC, tag LIMIT ${limit}
  )`;
  const rows = await library
    .select({ tag: sql<string>`tag`, count: sql<number>`count`, last: sql<string | null>`last` })
    .from(step)
    .all();
  return { tags: rows.map(({ tag, count }) => ({ tag, count })), last: rows[0]?.last ?? undefined };
}

/** All tags of a part. */
async function readStretch(query: TagQuery, after: string | undefined, size: number): Promise<Step> {
  const tags = await selectTags(query, after, size).all();
  return { tags, last: tags.length < size ? undefined : tags.at(-1)?.tag };
}

function selectTags({ library, accountId, folderId }: TagQuery, after: string | undefined, size: number) {
  return library
    .select({ tag: sql<string>`${uploadCounts.value}`.as("tag"), count: uploadCounts.count })
    .from(uploadCounts)
    .where(
      and(
        eq(uploadCounts.accountId, accountId),
        eq(uploadCounts.folderId, countedFolder(folderId)),
        eq(uploadCounts.facet, "tag"),
        eq(uploadCounts.status, "active"),
        after === undefined ? undefined : gt(uploadCounts.value, after),
      ),
    )
    .orderBy(asc(uploadCounts.value))
    .limit(size);
}
