import LayoutGrid from "lucide-react/icons/layout-grid";
import List from "lucide-react/icons/list";
import Star from "lucide-react/icons/star";
import { memo } from "react";
import { Chip } from "../../design/chip.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Slider } from "../../design/slider.tsx";
import type { Filters } from "../filters.ts";
import type { Address } from "../use-address.ts";
import { TILE } from "../view-options.ts";
import { files } from "../words.ts";
import { DateFilter } from "./date-filter.tsx";
import styles from "./filter-bar.module.css";
import { SizeFilter } from "./size-filter.tsx";
import { TagFilter } from "./tag-filter.tsx";
import { TypeFilter } from "./type-filter.tsx";

export interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}

const MODES = [
  { value: "grid", title: "Grid", icon: LayoutGrid },
  { value: "table", title: "Table", icon: List },
] as const;

interface FilterBarProps {
  readonly address: Address;
  /** Undefined before the first answer. */
  readonly total: number | undefined;
  readonly columns: number;
}

/** What narrows the view, how many files are left, and how they are shown. */
export const FilterBar = memo(function FilterBar({ address, total, columns }: FilterBarProps) {
  const { filters, view } = address;
  const onChange = (next: Filters) => address.setFilters(next);
  return (
    <div className={styles.bar}>
      <div className={styles.filters} role="group" aria-label="Filters">
        <TypeFilter filters={filters} onChange={onChange} />
        <DateFilter filters={filters} onChange={onChange} />
        <TagFilter filters={filters} onChange={onChange} />
        <SizeFilter filters={filters} onChange={onChange} />
        <Chip
          icon={Star}
          on={filters.fav}
          aria-pressed={filters.fav}
          onClick={() => onChange({ ...filters, fav: !filters.fav })}
        >
          Favourites
        </Chip>
      </div>
      <div className={styles.view}>
        <p className={styles.count} role="status">
          {total === undefined ? "" : files(total)}
        </p>
        {view.mode === "grid" && (
          <Slider
            className={styles.slider}
            label="Size of tiles"
            min={TILE.min}
            max={TILE.max}
            step={4}
            value={view.tile}
            valueText={`${columns} columns`}
            onChange={(tile) => address.setView({ ...view, tile })}
          />
        )}
        <Segmented
          label="Shown as"
          options={MODES}
          value={view.mode}
          onChange={(mode) => address.setView({ ...view, mode })}
        />
      </div>
    </div>
  );
});
