import { ERRORS } from "../../domain/errors.ts";
import { type Lease, MemoryBudget } from "../../isolate/memory-budget.ts";

/** A page of a thousand uploads with the longest names, fifty tags of 64 characters each and the longest history, in V8's memory. */
const PAGE_BYTES = 10 * 1024 * 1024;
/** Memory of a row without its texts. */
const ROW_BYTES = 512;
const MAX_WAIT_MS = 4000;
const RETRY_AFTER_SECONDS = 5;

/** The memory of all exports of an isolate. The budget is separate, so that slow readers delay no upload. */
export const exportPages = new MemoryBudget(2 * PAGE_BYTES);

/**
 * Reserves memory for the next page.
 * @throws ServiceError 503 if there is none in time
 */
export async function takePage(): Promise<Lease> {
  const lease = await exportPages.take(PAGE_BYTES, MAX_WAIT_MS);
  if (lease === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  return lease;
}

/**
 * Gives back the memory that a page did not need.
 * @param characters the length of all its texts
 */
export function shrinkPage(page: Lease, rows: number, characters: number): void {
  page.shrinkTo(Math.min(PAGE_BYTES, rows * ROW_BYTES + characters * 2));
}
