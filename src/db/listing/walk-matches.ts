import { isSameWalk, type Plan, planListing, planWithoutCounts } from "./plan-listing.ts";
import { selectCounts, toCounts } from "./read-counts.ts";
import { type Searched, selectMatches } from "./select-step.ts";
import { MAX_FIRST, maxSize, replan } from "./walk-listing.ts";

/** Steps in a row whose counts say that another index is to be walked, before one is walked that needs no counts. */
const MAX_ATTEMPTS = 4;
const GROWTH = 4;

export interface Matches {
  /** Newest first; a step may have found none. */
  readonly ids: readonly string[];
  /** The position to go on behind; undefined at the end. */
  readonly next: string | undefined;
}

/**
 * The uploads that match, newest first, in steps of at most `limit`, each a short statement that looks at no more uploads than a listing's
 * step. A step goes on behind the position of the last upload that was looked at, so that those which leave the filter meanwhile, by
 * whoever walks too, neither hide others nor come twice. Each step is planned anew, as the counts change with the uploads.
 * @param after the position behind which it begins
 */
export async function* walkMatches(
  searched: Searched,
  after: string | undefined,
  limit: number,
): AsyncGenerator<Matches, void, void> {
  const { library, accountId, filter } = searched;
  const readCounts = () => selectCounts(library, accountId, filter);
  let plan: Plan | undefined = planListing(filter, toCounts(await readCounts().all()));
  let size = MAX_FIRST;
  let attempts = 0;
  for (let position = after; plan !== undefined; ) {
    const stretch = { after: position, size: plan.path.by === "search" ? maxSize(searched, plan) : size };
    const select = selectMatches(searched, plan, stretch, limit);
    const [entries, counts] = await library.idempotent(() => library.batch([select, readCounts()]));
    const latest = replan(searched, plan, toCounts(counts));
    if (latest === undefined) return;
    if (!isSameWalk(plan, latest)) {
      attempts += 1;
      plan = attempts < MAX_ATTEMPTS ? latest : planWithoutCounts(filter);
      continue;
    }
    attempts = 0;
    const ids = entries.flatMap(({ id }) => (id === null ? [] : [id]));
    const isFull = ids.length === limit;
    const [first] = entries;
    const isEnd = !isFull && (first?.walked ?? 0) < stretch.size;
    position = isFull ? entries.at(-1)?.position : first?.last;
    yield { ids, next: isEnd ? undefined : position };
    if (isEnd) return;
    // Where few match, more are looked at; where many do, no more than are needed.
    size = isFull ? MAX_FIRST : Math.min(size * GROWTH, maxSize(searched, plan));
    plan = latest;
  }
}
