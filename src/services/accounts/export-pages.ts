import { ERRORS } from "../../domain/errors.ts";
import { type Lease, MemoryBudget } from "../../isolate/memory-budget.ts";

/** A page of a thousand uploads of the longest names and fifty tags of 64 characters each, as V8 holds them. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** What a row takes beside its texts. */
const ROW_BYTES = 512;
const MAX_WAIT_MS = 4000;
const RETRY_AFTER_SECONDS = 5;

/** What exports may hold of an isolate: a budget of their own, so that a reader who takes his time holds up no upload. */
export const exportPages = new MemoryBudget(2 * PAGE_BYTES);

/**
 * Memory for a page that is about to be read.
 * @throws ServiceError 503 where there is none in time
 */
export async function takePage(): Promise<Lease> {
  const lease = await exportPages.take(PAGE_BYTES, MAX_WAIT_MS);
  if (lease === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  return lease;
}

/** Gives back what a page did not need. @param characters of all its texts */
export function shrinkPage(page: Lease, rows: number, characters: number): void {
  page.shrinkTo(Math.min(PAGE_BYTES, rows * ROW_BYTES + characters * 2));
}
