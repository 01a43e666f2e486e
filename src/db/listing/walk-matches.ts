import { isSameWalk, type Plan, planListing, planWithoutCounts } from "./plan-listing.ts";
import { selectCounts, toCounts } from "./read-counts.ts";
import { selectMatches, type UploadQuery } from "./select-step.ts";
import { MAX_FIRST, maxSize, replan } from "./walk-listing.ts";

/** The number of consecutive steps whose counts lead to another index. After them, a walk without counts follows. */
const MAX_ATTEMPTS = 4;
const GROWTH = 4;

export interface Matches {
  /** Uploads of the step, newest first; possibly none. */
  readonly ids: readonly string[];
  /** The next step starts after this position; undefined at the end. */
  readonly next: string | undefined;
}

/**
 * Yields the matching uploads, newest first, in steps of at most `limit`. Each step is a short statement that reads no more uploads than a
 * listing's step. A step starts after the last upload that was read. So uploads that leave the filter meanwhile neither hide others nor
 * appear twice. Each step is planned again, because the counts change with the uploads.
 * @param after the position after which the walk starts
 */
export async function* walkMatches(
  query: UploadQuery,
  after: string | undefined,
  limit: number,
): AsyncGenerator<Matches, void, void> {
  const { library, accountId, filter } = query;
  const readCounts = () => selectCounts(library, accountId, filter);
  let plan: Plan | undefined = planListing(filter, toCounts(await readCounts().all()));
  let size = MAX_FIRST;
  let attempts = 0;
  for (let position = after; plan !== undefined; ) {
    const stretch = { after: position, size: plan.path.by === "search" ? maxSize(query, plan) : size };
    const select = selectMatches(query, plan, stretch, limit);
    const [entries, counts] = await library.idempotent(() => library.batch([select, readCounts()]));
    const latest = replan(query, plan, toCounts(counts));
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
    // The step reads more if few uploads match, and no more than needed if many match.
    size = isFull ? MAX_FIRST : Math.min(size * GROWTH, maxSize(query, plan));
    plan = latest;
  }
}
