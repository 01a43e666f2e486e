import type { Filters } from "../view/filters.ts";

export interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}
