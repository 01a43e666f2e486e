const PAGE_BITS: usize = 16;

let top: usize = 0;

/** Forgets everything. */
export function resetHeap(): void {
  top = (__heap_base + 15) & ~15;
}

/** Memory as it comes, at a multiple of 16; what was there before is still in it. */
export function allocate(bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  reserve(top);
  return at;
}

/** The first byte that nobody has; the last to allocate may go on from there by `reserve`. */
export function heapTop(): usize {
  return top;
}

/** Makes memory up to `end` usable. A host that has none left is not to be helped: the instance ends. */
export function reserve(end: usize): void {
  const missing = <i32>((end + 0xffff) >> PAGE_BITS) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
}
