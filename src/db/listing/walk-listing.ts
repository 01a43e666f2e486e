import type { Upload } from "../library/schema.ts";
import { isSameWalk, type Plan, planListing } from "./plan-listing.ts";
import { type ListingCounts, selectCounts, toCounts } from "./read-counts.ts";
import {
  type ListingQuery,
  placeOf,
  type Row,
  selectPage,
  selectStep,
  selectTagged,
  type UploadQuery,
} from "./select-step.ts";
import type { Slice } from "./upload-filter.ts";
import { hasConditions } from "./walk-sql.ts";

/**
 * The most uploads that one statement reads. D1 runs one statement at a time for all accounts, so none may take long. Fewer uploads would
 * take more round trips.
 */
export const MAX_UPLOADS = 20_000;
/** Index entries that are skipped without reading their uploads. */
export const MAX_PASSED = 100_000;
/** The number of steps if the index gathers all matches before it returns the first: each step gathers them again, so there are few. */
const MAX_GATHERED = 250_000;
/** The first step reads fewer uploads: it gathers the slice's uploads and often finds all of them. */
export const MAX_FIRST = 5000;
/** Matches are not spread evenly, so the first step reads this many times the average need. */
const MARGIN = 2;
/** The least entries of one tag in a step, for any number of excluded tags. */
const MIN_TAGGED = 100;
/** Steps that a listing takes without a turn. The second is for unevenly spread matches. */
export const FREE_STEPS = 2;

export interface Listing {
  readonly rows: Upload[];
  /** The number of all matches. */
  readonly total: number;
  /** The start of the next slice; null if this is the last one. */
  readonly next: string | null;
}

/**
 * `walked`: the listing, or undefined if it takes more than the free steps. `replanned`: the library has changed. Then this is the new
 * plan, or undefined if nothing can match.
 */
export type Outcome =
  | { readonly kind: "walked"; readonly listing: Listing | undefined }
  | { readonly kind: "replanned"; readonly plan: Plan | undefined };

/**
 * Reads a listing along its plan in steps of one short transaction, so other requests can use the database in between. The path is walked
 * from its newest upload to its oldest: each upload is judged, counted and read once, at one moment. A listing of one step is consistent as
 * a whole. Each step also reads the counts, which show whether the plan is still valid.
 */
export async function walkListing(query: ListingQuery, first: Plan, isItsTurn: boolean): Promise<Outcome> {
  const { library, accountId, filter, slice } = query;
  if (isAnswered(query, first)) return readPage(query, first);
  if (!isItsTurn && isLong(first)) return { kind: "walked", listing: undefined };
  const maxSteps = isItsTurn ? Number.POSITIVE_INFINITY : FREE_STEPS;
  // Counting matches starts at the newest upload, even if the slice starts later.
  const start = isCounting(first) ? undefined : slice.after;
  let [plan, after, shown] = [first, start, 0];
  const rows: Row[] = [];
  for (let step = 0; step < maxSteps; step++) {
    const wanted = { ...slice, limit: slice.limit + 1 - rows.length, offset: Math.max(0, slice.offset - shown) };
    const size = step === 0 ? firstSize(query, plan, wanted) : maxSize(query, plan);
    const select = selectStep(query, plan, { after, size }, wanted);
    const [entries, counts] = await library.idempotent(() =>
      library.batch([select, selectCounts(library, accountId, filter)]),
    );
    const latest = replan(query, plan, toCounts(counts));
    if (latest === undefined || !isSameWalk(plan, latest)) return { kind: "replanned", plan: latest };
    plan = latest;
    for (const { upload, position } of entries) if (upload !== null) rows.push({ upload, position });
    const isEnd = (entries[0]?.walked ?? 0) < size;
    shown += entries[0]?.shown ?? 0;
    after = entries[0]?.last;
    if (!isEnd && (isCounting(plan) || rows.length <= slice.limit)) continue;
    const isCounted = isCounting(plan) || (isEnd && start === undefined);
    const total = plan.total ?? (isCounted ? shown : await countUntagged(query, plan, maxSteps));
    return { kind: "walked", listing: total === undefined ? undefined : toListing(rows, total, slice) };
  }
  return { kind: "walked", listing: undefined };
}

/** @param rows one more than the slice has, unless it is the last one */
export function toListing(rows: readonly Row[], total: number, { limit }: Slice): Listing {
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(({ upload }) => upload),
    total,
    next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
  };
}

/** Whether the counts contain the total and the slice is a piece of an index. */
function isAnswered(query: ListingQuery, plan: Plan): boolean {
  const { limit, offset } = query.slice;
  return plan.total !== undefined && !hasConditions(placeOf(query), plan) && offset + limit < MAX_PASSED;
}

async function readPage(query: ListingQuery, plan: Plan): Promise<Outcome> {
  const { library, accountId, filter, slice } = query;
  const [rows, counts] = await library.idempotent(() =>
    library.batch([selectPage(query, plan), selectCounts(library, accountId, filter)]),
  );
  const latest = replan(query, plan, toCounts(counts));
  if (latest?.total === undefined || !isSameWalk(plan, latest)) return { kind: "replanned", plan: latest };
  return { kind: "walked", listing: toListing(rows, latest.total, slice) };
}

/** The plan for the current counts. */
export function replan({ filter }: UploadQuery, plan: Plan, counts: ListingCounts): Plan | undefined {
  return plan.isOfCounts ? planListing(filter, counts) : plan;
}

/** Whether the total needs a walk of the whole path. */
function isCounting({ total, allBut }: Plan): boolean {
  return total === undefined && allBut === undefined;
}

/** Whether the listing certainly needs more than the free steps. This is unknown for a search: most searches find few uploads. */
function isLong(plan: Plan): boolean {
  const { path, pathCount = 0 } = plan;
  return isCounting(plan) && (path.by !== "search" || path.isPrefix) && pathCount > FREE_STEPS * MAX_UPLOADS;
}

/** The size of the first step. If the counts contain the number of matches, it is just enough to find the slice. */
function firstSize(query: ListingQuery, plan: Plan, { limit, offset }: Slice): number {
  const { path, total, allBut, pathCount } = plan;
  const matching = total ?? allBut;
  const most = maxSize(query, plan);
  if (path.by === "search" && path.isPrefix) return most;
  if (matching === undefined) return Math.min(most, Math.max(MAX_FIRST, offset));
  if (!hasConditions(placeOf(query), plan)) return most;
  return Math.min(most, Math.ceil((MARGIN * (limit + offset) * (pathCount ?? matching)) / matching));
}

/** The most uploads of its path that one statement reads. */
export function maxSize(query: UploadQuery, plan: Plan): number {
  if (plan.path.by === "search") return plan.path.isPrefix ? MAX_GATHERED : MAX_UPLOADS;
  return hasConditions(placeOf(query), plan) ? MAX_UPLOADS : MAX_PASSED;
}

/** Counts all uploads except the uploads with one of several tags, which are fewer; in steps. @returns undefined if it takes more steps */
async function countUntagged(query: ListingQuery, plan: Plan, maxSteps: number): Promise<number | undefined> {
  const { library, accountId, filter } = query;
  const entriesOf = plan.conditions.excludedTags.length * plan.statuses.length;
  const size = Math.max(MIN_TAGGED, Math.floor(MAX_UPLOADS / entriesOf));
  let [tagged, after] = [0, undefined as string | undefined];
  for (let step = 0; step < maxSteps; step++) {
    const select = selectTagged(query, plan, { after, size });
    const [[found], counts] = await library.idempotent(() =>
      library.batch([select, selectCounts(library, accountId, filter)]),
    );
    tagged += found?.tagged ?? 0;
    if (!found?.last) return Math.max(0, toCounts(counts).all - tagged);
    after = found.last;
  }
  return undefined;
}
