import { type Interval, subtract, union } from "./intervals.ts";

/**
 * The selected positions of a view as sorted, disjoint intervals. A hundred thousand files are two numbers, whether or not they are loaded.
 */
export interface Selection {
  readonly intervals: readonly Interval[];
  /** The start of the next range. */
  readonly anchor: number;
  /** The selection before the current range. */
  readonly base: readonly Interval[];
}

export const NOTHING: Selection = { intervals: [], anchor: 0, base: [] };

export function isSelected({ intervals }: Selection, position: number): boolean {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { start, end } = intervals[middle] as Interval;
    if (position < start) high = middle;
    else if (position >= end) low = middle + 1;
    else return true;
  }
  return false;
}

export function countSelected({ intervals }: Selection): number {
  return intervals.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Adds or removes a position, which is the new anchor. */
export function toggled(selection: Selection, position: number): Selection {
  const one = [{ start: position, end: position + 1 }];
  const isIn = isSelected(selection, position);
  const intervals = isIn ? subtract(selection.intervals, one) : union(selection.intervals, one);
  return { intervals, anchor: position, base: intervals };
}

/** Selects from the anchor to a position. It replaces the last range from the same anchor. */
export function extended(selection: Selection, position: number): Selection {
  const { anchor, base } = selection;
  const range = { start: Math.min(anchor, position), end: Math.max(anchor, position) + 1 };
  return { ...selection, intervals: union(base, [range]) };
}

/** Adds the positions of a box to the selection before it. */
export function boxed(begun: Selection, box: readonly Interval[]): Selection {
  const intervals = union(begun.intervals, box);
  return { intervals, anchor: box[0]?.start ?? begun.anchor, base: intervals };
}

export function everything(total: number): Selection {
  const intervals = total === 0 ? [] : [{ start: 0, end: total }];
  return { intervals, anchor: 0, base: intervals };
}

/** The selection after items left the view: selected positions move up. @param removed ascending, without duplicates */
export function afterRemoval(selection: Selection, removed: readonly number[]): Selection {
  const gone = union(
    [],
    removed.map((position) => ({ start: position, end: position + 1 })),
  );
  const moved = (position: number) => position - countBelow(removed, position);
  const move = (intervals: readonly Interval[]) =>
    union(
      [],
      subtract(intervals, gone).map(({ start, end }) => ({ start: moved(start), end: moved(end) })),
    );
  return { intervals: move(selection.intervals), anchor: moved(selection.anchor), base: move(selection.base) };
}

/** Limits the selection to a view that has fewer items now. */
export function within(selection: Selection, total: number): Selection {
  const beyond = [{ start: total, end: Number.POSITIVE_INFINITY }];
  const cut = (intervals: readonly Interval[]) => subtract(intervals, beyond);
  return { intervals: cut(selection.intervals), anchor: selection.anchor, base: cut(selection.base) };
}

function countBelow(sorted: readonly number[], position: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
