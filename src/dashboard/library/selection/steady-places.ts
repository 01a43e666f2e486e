import { PAGE_ITEMS } from "../../api/queries/image-slots.ts";
import { type Interval, union } from "./intervals.ts";
import { countSelected, type Selection } from "./selection.ts";

/** The loaded file at a position. */
export type Slot = (position: number) => { readonly _id: string } | undefined;

/** More files are not followed, because they are read at each build of the page. */
const MOST_FOLLOWED = 1000;

/** The ids of the selected files. Undefined if there are too many, or some are not loaded. */
export function readIds(selection: Selection, slot: Slot): ReadonlySet<string> | undefined {
  if (countSelected(selection) > MOST_FOLLOWED) return undefined;
  const ids = positionsOf(selection).map((position) => slot(position)?._id);
  return ids.includes(undefined) ? undefined : new Set(ids as string[]);
}

/** Whether a selection that had these files shows another file, or fewer files. */
export function hasMoved(selection: Selection, ids: ReadonlySet<string>, slot: Slot): boolean {
  if (countSelected(selection) < ids.size) return true;
  return positionsOf(selection).some((position) => {
    const id = slot(position)?._id;
    return id !== undefined && !ids.has(id);
  });
}

/** The positions of the loaded files by id. */
export function readPlaces(slot: Slot, total: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let first = 0; first < total; first += PAGE_ITEMS) {
    const end = Math.min(total, first + PAGE_ITEMS);
    // A page without its first and its last file is not loaded.
    if (slot(first) === undefined && slot(end - 1) === undefined) continue;
    for (let position = first; position < end; position += 1) {
      const id = slot(position)?._id;
      if (id !== undefined) places.set(id, position);
    }
  }
  return places;
}

/** The selection of these files at their present positions. A file that is not loaded is not in it. */
export function follow(
  ids: Iterable<string>,
  anchorId: string | undefined,
  places: ReadonlyMap<string, number>,
): Selection {
  const found = Array.from(ids, (id) => places.get(id)).filter((position) => position !== undefined);
  const intervals = union(
    [],
    found.map((position) => ({ start: position, end: position + 1 })),
  );
  return { intervals, anchor: places.get(anchorId ?? "") ?? intervals[0]?.start ?? 0, base: intervals };
}

export function sameIntervals(some: readonly Interval[], other: readonly Interval[]): boolean {
  return (
    some.length === other.length &&
    some.every(({ start, end }, at) => start === other[at]?.start && end === other[at]?.end)
  );
}

function positionsOf({ intervals }: Selection): number[] {
  return intervals.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at));
}
