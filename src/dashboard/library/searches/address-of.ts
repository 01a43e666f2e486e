import { type Filters, writeFilters } from "../view/filters.ts";

/** The address of a view below `/dashboard`. */
export function addressOf(filters: Filters): string {
  return (filters.status === "trash" ? "/trash" : "/library") + writeFilters(filters);
}
