import { findFolder } from "./find-folder.ts";
import { type Plan, planListing, planWithoutCounts } from "./plan-listing.ts";
import { selectCounts, toCounts } from "./read-counts.ts";
import { type ListingQuery, placeOf, readPlace } from "./select-step.ts";
import { hasFilters } from "./upload-filter.ts";
import { type Listing, MAX_PASSED, toListing, walkListing } from "./walk-listing.ts";

/** The number of walks with a plan, if the library keeps changing. After them, a walk without counts follows. */
const MAX_ATTEMPTS = 4;

/** Runs work when its turn comes. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a slice of the matching uploads, newest first, and their total.
 * @param inTurn makes a listing of many steps wait for its turn; it may throw if the wait is too long
 * @returns undefined if the folder does not exist
 */
export async function listUploads(query: ListingQuery, inTurn: InTurn): Promise<Listing | undefined> {
  const { limit, offset } = query.slice;
  return hasFilters(query.filter) || offset + limit >= MAX_PASSED ? listMatches(query, inTurn) : listPlace(query);
}

/**
 * Lists a folder or all folders without other filters: the index is known and the total is a count, in one statement. A folder with uploads
 * exists. The folder of an empty page is looked up.
 */
async function listPlace(query: ListingQuery): Promise<Listing | undefined> {
  const { library, accountId, filter, slice } = query;
  const rows = await readPlace(query);
  if (rows[0] !== undefined) return toListing(rows, rows[0].total, slice);
  const [found, counts] = await library.idempotent(() =>
    library.batch([findFolder(library, placeOf(query)), selectCounts(library, accountId, filter)]),
  );
  if (typeof filter.folderId === "string" && found.length === 0) return undefined;
  return { rows: [], total: toCounts(counts).all, next: null };
}

/**
 * The counts decide which index to walk; for a single filter they are the total. A listing that the free steps do not finish starts again
 * in its turn, because the library may change while it waits.
 */
async function listMatches(query: ListingQuery, inTurn: InTurn): Promise<Listing | undefined> {
  const { library, accountId, filter } = query;
  const [found, counts] = await library.idempotent(() =>
    library.batch([findFolder(library, placeOf(query)), selectCounts(library, accountId, filter)]),
  );
  if (typeof filter.folderId === "string" && found.length === 0) return undefined;
  const plan = planListing(filter, toCounts(counts));
  return (await walkPlanned(query, plan, false)) ?? (await inTurn(() => walkPlanned(query, plan, true)));
}

/** Walks again if the counts have led to another plan. @returns undefined if the walk has to wait for its turn */
async function walkPlanned(
  query: ListingQuery,
  first: Plan | undefined,
  isItsTurn: boolean,
): Promise<Listing | undefined> {
  let plan = first;
  for (let attempt = 1; plan !== undefined; attempt++) {
    const outcome = await walkListing(query, plan, isItsTurn);
    if (outcome.kind !== "replanned") return outcome.listing;
    plan = attempt < MAX_ATTEMPTS || outcome.plan === undefined ? outcome.plan : planWithoutCounts(query.filter);
  }
  return { rows: [], total: 0, next: null };
}
