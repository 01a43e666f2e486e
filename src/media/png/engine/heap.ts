const PAGE_BITS: usize = 16;

let top: usize = 0;

export function resetHeap(): void {
  top = (__heap_base + 15) & ~15;
}

/** Uninitialised memory at a multiple of 16. It may contain old data. */
export function allocate(bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  reserve(top);
  return at;
}

/** The first free byte. The last part that allocates may grow beyond it with `reserve`. */
export function heapTop(): usize {
  return top;
}

/** Makes memory up to `end` usable. If the host has no memory left, the instance ends. */
export function reserve(end: usize): void {
  const missing = <i32>((end + 0xffff) >> PAGE_BITS) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
}
