import { findFolder } from "./find-folder.ts";
import { type Plan, planListing, planWithoutCounts } from "./plan-listing.ts";
import { selectCounts, toCounts } from "./read-counts.ts";
import { type Asked, placeOf, selectPage } from "./select-step.ts";
import { type Listing, MAX_PASSED, toListing, walkListing } from "./walk-listing.ts";

/** Walks of a library that changes all the time, before one that needs no counts. */
const MAX_ATTEMPTS = 4;

/** Does work when its turn has come. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A slice of what matches, newest first, and how many that is in all.
 * @param inTurn what a listing waits for that takes many steps; it may throw where the wait is too long
 * @returns undefined where there is no such folder
 */
export async function listUploads(asked: Asked, inTurn: InTurn): Promise<Listing | undefined> {
  const { status: _, folderId: __, tags, excludedTags, ...others } = asked.filter;
  const asksMore = tags.length + excludedTags.length > 0 || Object.values(others).some((value) => value !== undefined);
  const { limit, offset } = asked.slice;
  return asksMore || offset + limit >= MAX_PASSED ? listMatches(asked, inTurn) : listPlace(asked);
}

/** A whole folder, or all folders: its index is known and its total is a count, in one round trip. */
async function listPlace(asked: Asked): Promise<Listing | undefined> {
  const { library, accountId, filter, slice } = asked;
  const select = selectPage(asked, planWithoutCounts(filter));
  const [found, counts, rows] = await library.idempotent(() =>
    library.batch([findFolder(library, placeOf(asked)), selectCounts(library, accountId, filter), select]),
  );
  if (typeof filter.folderId === "string" && found.length === 0) return undefined;
  return toListing(rows, toCounts(counts).all, slice);
}

/**
 * The counts say which index to walk, and for a single filter they are the total. What a few steps do not finish is begun
 * again in its turn, as the library may change while it waits.
 */
async function listMatches(asked: Asked, inTurn: InTurn): Promise<Listing | undefined> {
  const { library, accountId, filter } = asked;
  const [found, counts] = await library.idempotent(() =>
    library.batch([findFolder(library, placeOf(asked)), selectCounts(library, accountId, filter)]),
  );
  if (typeof filter.folderId === "string" && found.length === 0) return undefined;
  const plan = planListing(filter, toCounts(counts));
  return (await walkPlanned(asked, plan, false)) ?? (await inTurn(() => walkPlanned(asked, plan, true)));
}

/** Walks anew where the counts have come to another plan meanwhile. @returns undefined where it has to wait for its turn */
async function walkPlanned(asked: Asked, first: Plan | undefined, isItsTurn: boolean): Promise<Listing | undefined> {
  let plan = first;
  for (let attempt = 1; plan !== undefined; attempt++) {
    const outcome = await walkListing(asked, plan, isItsTurn);
    if (outcome.kind !== "replanned") return outcome.listing;
    plan = attempt < MAX_ATTEMPTS || outcome.plan === undefined ? outcome.plan : planWithoutCounts(asked.filter);
  }
  return { rows: [], total: 0, next: null };
}
