import type { Filters } from "./filters.ts";
import { KEPT, NEWEST_FIRST, type Order, placeOf, readKept, type SortBy, type Sorting } from "./sorting.ts";
import type { Address } from "./use-address.ts";

export const SORT_TITLES: Readonly<Record<SortBy, string>> = {
  createdAt: "Date uploaded",
  takenAt: "Date taken",
  name: "Name",
  size: "Size",
};

/** The names of both directions of an order. */
export const ORDER_TITLES: Readonly<Record<SortBy, Readonly<Record<Order, string>>>> = {
  createdAt: { desc: "Newest first", asc: "Oldest first" },
  takenAt: { desc: "Newest first", asc: "Oldest first" },
  name: { asc: "A to Z", desc: "Z to A" },
  size: { desc: "Largest first", asc: "Smallest first" },
};

/** The order after a choice of a column: names begin with A, other values with the newest or largest. Another choice reverses it. */
export function sortedBy(by: SortBy, { by: before, order }: Sorting): Sorting {
  if (by === before) return { by, order: order === "asc" ? "desc" : "asc" };
  return { by, order: by === "name" ? "asc" : "desc" };
}

/** Folders whose order was chosen longest ago are forgotten. */
const MOST_KEPT = 200;

/** Sorts a view, and keeps the order of its folder in this browser. */
export function chooseSorting(
  { filters, setSorting }: Pick<Address, "filters" | "setSorting">,
  sorting: Sorting,
): void {
  keepSorting(filters, sorting);
  setSorting(sorting);
}

export function keepSorting(filters: Filters, { by, order }: Sorting): void {
  const kept = readKept();
  kept.delete(placeOf(filters));
  if (by !== NEWEST_FIRST.by || order !== NEWEST_FIRST.order) kept.set(placeOf(filters), `${by} ${order}`);
  for (const place of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(place);
  try {
    localStorage.setItem(KEPT, kept.toString());
  } catch {
    // The browser may forbid storage, or have no space.
  }
}
