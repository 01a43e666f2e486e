import HardDrive from "lucide-react/icons/hard-drive";
import Image from "lucide-react/icons/image";
import LayoutGrid from "lucide-react/icons/layout-grid";
import List from "lucide-react/icons/list";
import { memo, Suspense } from "react";
import { Chip } from "../../design/chip.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Popover } from "../../design/popover.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Slider } from "../../design/slider.tsx";
import { FILE_TYPES } from "../view/file-types.ts";
import type { Address } from "../view/use-address.ts";
import { TILE } from "../view/view-options.ts";
import { files } from "../words.ts";
import styles from "./filter-bar.module.css";
import type { FilterProps } from "./filter-props.ts";
import { nameSizes } from "./name-sizes.ts";

const SizeChoice = lazyPart(() => import("./size-choice.tsx"));

const MoreFilters = lazyPart(() => import("./more-filters.tsx"));

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

/** The filters, the number of files that match, and the view's options. */
export const FilterBar = memo(function FilterBar({ address, total, columns }: FilterBarProps) {
  const { filters, view } = address;
  const onChange = (next: FilterProps["filters"]) => address.setFilters(next);
  return (
    <div className={styles.bar}>
      <div className={styles.filters} role="group" aria-label="Filters">
        <TypeFilter filters={filters} onChange={onChange} />
        <SizeFilter filters={filters} onChange={onChange} />
        <Suspense fallback={null}>
          <MoreFilters filters={filters} onChange={onChange} />
        </Suspense>
      </div>
      <div className={styles.view}>
        <p className={styles.count} role="status">
          {total === undefined ? "" : files(total)}
        </p>
        {view.mode === "grid" && (
          <Slider
            className={styles.slider}
            label="Tile size"
            min={TILE.min}
            max={TILE.max}
            step={4}
            value={view.tile}
            valueText={`${columns} columns`}
            onChange={(tile) => address.setView({ ...view, tile })}
          />
        )}
        <Segmented
          label="View"
          options={MODES}
          value={view.mode}
          onChange={(mode) => address.setView({ ...view, mode })}
        />
      </div>
    </div>
  );
});

const TypeChoice = lazyPart(() => import("./type-choice.tsx"));

function TypeFilter(props: FilterProps) {
  const { filters, onChange } = props;
  const isOn = filters.types.length > 0;
  return (
    <Popover
      label="Type"
      align="start"
      trigger={
        <Chip
          icon={Image}
          on={isOn}
          onRemove={isOn ? () => onChange({ ...filters, types: [] }) : undefined}
          removeLabel="Any type"
        >
          {isOn ? filters.types.map((type) => FILE_TYPES[type].title).join(", ") : "Type"}
        </Chip>
      }
    >
      <TypeChoice {...props} />
    </Popover>
  );
}

function SizeFilter({ filters, onChange }: FilterProps) {
  const { min, max } = filters;
  const isOn = min !== undefined || max !== undefined;
  const clear = () => onChange({ ...filters, min: undefined, max: undefined });
  return (
    <Popover
      label="Size"
      align="start"
      trigger={
        <Chip icon={HardDrive} on={isOn} onRemove={isOn ? clear : undefined} removeLabel="Any size">
          {isOn ? nameSizes(min, max) : "Size"}
        </Chip>
      }
    >
      {(close) => <SizeChoice filters={filters} onChange={onChange} close={close} />}
    </Popover>
  );
}
