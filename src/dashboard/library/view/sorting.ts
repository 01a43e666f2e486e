import type { ImageFilter } from "../../../client/index.ts";
import type { Filters } from "./filters.ts";

export const SORT_BYS = ["createdAt", "takenAt", "name", "size"] as const;
export type SortBy = (typeof SORT_BYS)[number];
export type Order = "asc" | "desc";

/** The order of a view's files. */
export interface Sorting {
  readonly by: SortBy;
  readonly order: Order;
}

export const NEWEST_FIRST: Sorting = { by: "createdAt", order: "desc" };

/** Adds an order to the parameters of GET /images. The service's own order adds none. */
export function withSorting(filter: ImageFilter, { by, order }: Sorting): ImageFilter {
  if (by === NEWEST_FIRST.by && order === NEWEST_FIRST.order) return filter;
  return { ...filter, sort: by, order };
}

export const KEPT = "library-sorting";

/** The orders that were chosen in this browser, by folder, as the parameters of an address; empty if the browser forbids storage. */
export function readKept(): URLSearchParams {
  try {
    return new URLSearchParams(localStorage.getItem(KEPT) ?? "");
  } catch {
    return new URLSearchParams();
  }
}

export function placeOf({ status, folder }: Filters): string {
  return status === "trash" ? status : folder;
}

/** The order that was last chosen for the view's folder in this browser. */
export function readSorting(filters: Filters): Sorting {
  const [by, order] = readKept().get(placeOf(filters))?.split(" ") ?? [];
  const found = SORT_BYS.find((each) => each === by);
  return found !== undefined && (order === "asc" || order === "desc") ? { by: found, order } : NEWEST_FIRST;
}
