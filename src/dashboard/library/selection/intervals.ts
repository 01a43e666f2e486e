/** Positions of a view; `end` is exclusive. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** @returns both, sorted and disjoint */
export function union(some: readonly Interval[], more: readonly Interval[]): Interval[] {
  const joined: Interval[] = [];
  for (const { start, end } of [...some, ...more].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (start >= end) continue;
    if (last !== undefined && start <= last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else joined.push({ start, end });
  }
  return joined;
}

/** @returns the first without the second; both must be sorted and disjoint */
export function subtract(some: readonly Interval[], less: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  let at = 0;
  for (const { start, end } of some) {
    let from = start;
    while (at < less.length && (less[at] as Interval).end <= from) at += 1;
    for (let next = at; next < less.length && (less[next] as Interval).start < end; next += 1) {
      const hole = less[next] as Interval;
      if (hole.start > from) left.push({ start: from, end: hole.start });
      from = Math.max(from, hole.end);
    }
    if (from < end) left.push({ start: from, end });
  }
  return left;
}
