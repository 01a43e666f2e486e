import { decline, TOO_MANY_COEFFICIENTS } from "./host";

const PAGE_BITS: usize = 16;
/** Growing is slow, so more is added than needed. */
const SPARE_PAGES: i32 = 16;

let top: usize = 0;
let budget: i32 = 0;

/** Forgets everything before the next picture. @param budgetBytes for the next picture's coefficients */
export function resetHeap(budgetBytes: i32): void {
  top = (__heap_base + 15) & ~15;
  budget = budgetBytes;
}

/** Uninitialised memory: it may contain old data. */
export function allocate(bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  const missing = <i32>((top + 0xffff) >> PAGE_BITS) - memory.size();
  if (missing > 0 && memory.grow(max(missing, SPARE_PAGES)) < 0) decline(TOO_MANY_COEFFICIENTS);
  return at;
}

export function allocateZeros(bytes: usize): usize {
  const at = allocate(bytes);
  memory.fill(at, 0, bytes);
  return at;
}

/** Memory that counts against the host's bound for a picture's coefficients. */
export function allocateWithinBudget(bytes: usize): usize {
  budget -= <i32>bytes;
  if (budget < 0) decline(TOO_MANY_COEFFICIENTS);
  return allocate(bytes);
}
