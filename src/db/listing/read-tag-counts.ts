import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { uploadCounts } from "../library/schema.ts";
import { foldText } from "./fold-text.ts";
import type { InTurn } from "./list-uploads.ts";

/** Tags that one statement looks at, as listings look at so many uploads. */
const MAX_TAGS_A_STEP = 20_000;
/** The database cannot fold text, so that those which are searched are folded here: some milliseconds' worth at once. */
const MAX_FOLDED_A_STEP = 2000;
/** Steps that wait for no turn. */
const FREE_STEPS = 2;
/** What lies behind so many tags, in their order, is not shown: nobody picks from a list of a million. */
const MAX_LOOKED_AT = 1_000_000;

export interface TagCount {
  readonly tag: string;
  /** How many active uploads have it. */
  readonly count: number;
}

export interface AskedTags {
  readonly library: Library;
  readonly accountId: string;
  /** A part of the tag, whatever its case and accents. */
  readonly text: string | undefined;
  readonly limit: number;
}

/**
 * The tags of active uploads, the most used first, those used alike in the order of their letters. All tags are looked at, in steps, each a
 * short statement: their counts change with every upload, so that no index has them in order.
 * @param inTurn what a walk waits for that takes many steps; it may throw where the wait is too long
 */
export async function readTagCounts(asked: AskedTags, inTurn: InTurn): Promise<TagCount[]> {
  return (await walkTags(asked, FREE_STEPS)) ?? (await inTurn(async () => (await walkTags(asked)) ?? []));
}

/** @returns undefined where it takes more steps */
async function walkTags(asked: AskedTags, maxSteps = Number.POSITIVE_INFINITY): Promise<TagCount[] | undefined> {
  const folded = asked.text === undefined ? undefined : foldText(asked.text);
  // Of an accent alone nothing is left, and no tag is found by it.
  if (folded === "") return [];
  const size = folded === undefined ? MAX_TAGS_A_STEP : MAX_FOLDED_A_STEP;
  let most: readonly TagCount[] = [];
  let after: string | undefined;
  for (let step = 0; step < maxSteps; step++) {
    const { tags, last } =
      folded === undefined ? await readMost(asked, after, size) : await readStretch(asked, after, size);
    const found = folded === undefined ? tags : tags.filter(({ tag }) => foldText(tag).includes(folded));
    // Stable, so that those with the same count stay in the order of their letters.
    most = [...most, ...found].sort((a, b) => b.count - a.count).slice(0, asked.limit);
    if (last === undefined || (step + 1) * size >= MAX_LOOKED_AT) return [...most];
    after = last;
  }
  return undefined;
}

interface Step {
  readonly tags: readonly TagCount[];
  /** The last tag that was looked at; undefined at the end. */
  readonly last: string | undefined;
}

/** The most used tags of a stretch. */
async function readMost(asked: AskedTags, after: string | undefined, size: number): Promise<Step> {
  const { library, limit } = asked;
  const step = sql`(
    WITH stretch AS MATERIALIZED (SELECT tag, count FROM ${selectTags(asked, after, size)})
    SELECT tag, count, (SELECT iif(count(*) < ${size}, NULL, max(tag)) FROM stretch) AS last
    FROM stretch ORDER BY count DESC, tag LIMIT ${limit}
  )`;
  const rows = await library
    .select({ tag: sql<string>`tag`, count: sql<number>`count`, last: sql<string | null>`last` })
    .from(step)
    .all();
  return { tags: rows.map(({ tag, count }) => ({ tag, count })), last: rows[0]?.last ?? undefined };
}

/** All tags of a stretch. */
async function readStretch(asked: AskedTags, after: string | undefined, size: number): Promise<Step> {
  const tags = await selectTags(asked, after, size).all();
  return { tags, last: tags.length < size ? undefined : tags.at(-1)?.tag };
}

function selectTags({ library, accountId }: AskedTags, after: string | undefined, size: number) {
  return library
    .select({ tag: sql<string>`${uploadCounts.value}`.as("tag"), count: uploadCounts.count })
    .from(uploadCounts)
    .where(
      and(
        eq(uploadCounts.accountId, accountId),
        eq(uploadCounts.folderId, "*"),
        eq(uploadCounts.facet, "tag"),
        eq(uploadCounts.status, "active"),
        after === undefined ? undefined : gt(uploadCounts.value, after),
      ),
    )
    .orderBy(asc(uploadCounts.value))
    .limit(size);
}
