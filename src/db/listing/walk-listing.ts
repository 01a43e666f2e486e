import type { Upload } from "../library/schema.ts";
import { isSameWalk, type Plan, planListing } from "./plan-listing.ts";
import { type ListingCounts, selectCounts, toCounts } from "./read-counts.ts";
import { type Asked, placeOf, type Row, type Searched, selectPage, selectStep, selectTagged } from "./select-step.ts";
import type { Slice } from "./upload-filter.ts";
import { hasConditions } from "./walk-sql.ts";

/**
 * How many uploads one statement looks at, at most: D1 runs one at a time, whoever asks, so that none may take long. Fewer
 * would be more round trips.
 */
const MAX_UPLOADS = 20_000;
/** Entries of an index that are passed over without a look at their uploads. */
export const MAX_PASSED = 100_000;
/** Where the index gathers all matches before it tells the first, each step gathers them again: these are few steps. */
const MAX_GATHERED = 250_000;
/** The first step looks at fewer: it gathers what the slice shows, and often finds all of that. */
export const MAX_FIRST = 5000;
/** What matches is not spread evenly: the first step looks at so many times what it needs on average. */
const MARGIN = 2;
/** Entries of one tag that are worth a step, however many tags are left out. */
const MIN_TAGGED = 100;
/** Steps of a listing that waits for no turn: the second is for matches that are not spread evenly. */
const FREE_STEPS = 2;

export interface Listing {
  readonly rows: Upload[];
  /** Of all that match, whatever the slice. */
  readonly total: number;
  /** Where the next slice begins; null where this is the last one. */
  readonly next: string | null;
}

/**
 * `walked`: the listing, undefined where it takes more than the free steps. `replanned`: the library has changed, and this is
 * the plan by now, undefined where nothing can match.
 */
export type Outcome =
  | { readonly kind: "walked"; readonly listing: Listing | undefined }
  | { readonly kind: "replanned"; readonly plan: Plan | undefined };

/**
 * Reads a listing along its plan in steps, each a short transaction: others have the database between them. The path is walked
 * from its newest upload to its oldest, so that each upload is judged, counted and read once, and at one moment; a listing
 * that is read in one step is of one moment altogether. The counts are read with each step and tell whether the plan still holds.
 */
export async function walkListing(asked: Asked, first: Plan, isItsTurn: boolean): Promise<Outcome> {
  const { library, accountId, filter, slice } = asked;
  if (isAnswered(asked, first)) return readPage(asked, first);
  if (!isItsTurn && isLong(first)) return { kind: "walked", listing: undefined };
  const maxSteps = isItsTurn ? Number.POSITIVE_INFINITY : FREE_STEPS;
  // What is shown is counted from the newest on, wherever the slice begins.
  const start = isCounting(first) ? undefined : slice.after;
  let [plan, after, shown] = [first, start, 0];
  const rows: Row[] = [];
  for (let step = 0; step < maxSteps; step++) {
    const wanted = { ...slice, limit: slice.limit + 1 - rows.length, offset: Math.max(0, slice.offset - shown) };
    const size = step === 0 ? firstSize(asked, plan, wanted) : maxSize(asked, plan);
    const select = selectStep(asked, plan, { after, size }, wanted);
    const [entries, counts] = await library.idempotent(() =>
      library.batch([select, selectCounts(library, accountId, filter)]),
    );
    const latest = replan(asked, plan, toCounts(counts));
    if (latest === undefined || !isSameWalk(plan, latest)) return { kind: "replanned", plan: latest };
    plan = latest;
    for (const { upload, position } of entries) if (upload !== null) rows.push({ upload, position });
    const isEnd = (entries[0]?.walked ?? 0) < size;
    shown += entries[0]?.shown ?? 0;
    after = entries[0]?.last;
    if (!isEnd && (isCounting(plan) || rows.length <= slice.limit)) continue;
    const isCounted = isCounting(plan) || (isEnd && start === undefined);
    const total = plan.total ?? (isCounted ? shown : await countUntagged(asked, plan, maxSteps));
    return { kind: "walked", listing: total === undefined ? undefined : toListing(rows, total, slice) };
  }
  return { kind: "walked", listing: undefined };
}

/** @param rows one more than the slice has where it is not the last one */
export function toListing(rows: readonly Row[], total: number, { limit }: Slice): Listing {
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(({ upload }) => upload),
    total,
    next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
  };
}

/** Whether the counts tell the total, and a piece of an index is the slice. */
function isAnswered(asked: Asked, plan: Plan): boolean {
  const { limit, offset } = asked.slice;
  return plan.total !== undefined && !hasConditions(placeOf(asked), plan) && offset + limit < MAX_PASSED;
}

async function readPage(asked: Asked, plan: Plan): Promise<Outcome> {
  const { library, accountId, filter, slice } = asked;
  const [rows, counts] = await library.idempotent(() =>
    library.batch([selectPage(asked, plan), selectCounts(library, accountId, filter)]),
  );
  const latest = replan(asked, plan, toCounts(counts));
  if (latest?.total === undefined || !isSameWalk(plan, latest)) return { kind: "replanned", plan: latest };
  return { kind: "walked", listing: toListing(rows, latest.total, slice) };
}

/** What the counts come to by now. */
export function replan({ filter }: Searched, plan: Plan, counts: ListingCounts): Plan | undefined {
  return plan.isOfCounts ? planListing(filter, counts) : plan;
}

/** Whether the total is only known once the whole path is walked. */
function isCounting({ total, allBut }: Plan): boolean {
  return total === undefined && allBut === undefined;
}

/** Whether it is known before that the free steps will not do. Of a search it is not: most find few. */
function isLong(plan: Plan): boolean {
  const { path, pathCount = 0 } = plan;
  return isCounting(plan) && (path.by !== "search" || path.isPrefix) && pathCount > FREE_STEPS * MAX_UPLOADS;
}

/** Where the counts tell how many match, the first step looks at as many uploads as it takes to find the slice. */
function firstSize(asked: Asked, plan: Plan, { limit, offset }: Slice): number {
  const { path, total, allBut, pathCount } = plan;
  const matching = total ?? allBut;
  const most = maxSize(asked, plan);
  if (path.by === "search" && path.isPrefix) return most;
  if (matching === undefined) return Math.min(most, Math.max(MAX_FIRST, offset));
  if (!hasConditions(placeOf(asked), plan)) return most;
  return Math.min(most, Math.ceil((MARGIN * (limit + offset) * (pathCount ?? matching)) / matching));
}

/** How many uploads on its path one statement looks at, at most. */
export function maxSize(asked: Searched, plan: Plan): number {
  if (plan.path.by === "search") return plan.path.isPrefix ? MAX_GATHERED : MAX_UPLOADS;
  return hasConditions(placeOf(asked), plan) ? MAX_UPLOADS : MAX_PASSED;
}

/** All but the uploads that have one of several tags, which are fewer; in steps. @returns undefined where there are more steps */
async function countUntagged(asked: Asked, plan: Plan, maxSteps: number): Promise<number | undefined> {
  const { library, accountId, filter } = asked;
  const entriesOf = plan.conditions.excludedTags.length * plan.statuses.length;
  const size = Math.max(MIN_TAGGED, Math.floor(MAX_UPLOADS / entriesOf));
  let [tagged, after] = [0, undefined as string | undefined];
  for (let step = 0; step < maxSteps; step++) {
    const select = selectTagged(asked, plan, { after, size });
    const [[found], counts] = await library.idempotent(() =>
      library.batch([select, selectCounts(library, accountId, filter)]),
    );
    tagged += found?.tagged ?? 0;
    if (!found?.last) return Math.max(0, toCounts(counts).all - tagged);
    after = found.last;
  }
  return undefined;
}
