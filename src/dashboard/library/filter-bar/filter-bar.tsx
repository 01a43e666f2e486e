import Image from "lucide-react/icons/image";
import LayoutGrid from "lucide-react/icons/layout-grid";
import List from "lucide-react/icons/list";
import Lock from "lucide-react/icons/lock";
import Star from "lucide-react/icons/star";
import Tag from "lucide-react/icons/tag";
import { memo } from "react";
import { Chip } from "../../design/chip.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Menu } from "../../design/menu.tsx";
import { Popover } from "../../design/popover.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Slider } from "../../design/slider.tsx";
import { FILE_TYPES, type FileType } from "../view/file-types.ts";
import type { Address } from "../view/use-address.ts";
import { TILE } from "../view/view-options.ts";
import { files } from "../words.ts";
import { DateFilter } from "./date-filter.tsx";
import styles from "./filter-bar.module.css";
import type { FilterProps } from "./filter-props.ts";
import { SizeFilter } from "./size-filter.tsx";

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
  const isPrivate = filters.visibility === "private";
  const onChange = (next: FilterProps["filters"]) => address.setFilters(next);
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
        <Chip
          icon={Lock}
          on={isPrivate}
          aria-pressed={isPrivate}
          onClick={() => onChange({ ...filters, visibility: isPrivate ? undefined : "private" })}
        >
          Private
        </Chip>
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

const TagChoice = lazyPart(() => import("./tag-choice.tsx"));

function TagFilter(props: FilterProps) {
  const { filters, onChange } = props;
  const { tags, not } = filters;
  const isOn = tags.length + not.length > 0;
  const clear = () => onChange({ ...filters, tags: [], not: [] });
  return (
    <Popover
      label="Tags"
      align="start"
      trigger={
        <Chip icon={Tag} on={isOn} onRemove={isOn ? clear : undefined} removeLabel="Any tags">
          {isOn ? [...tags, ...not.map((tag) => `−${tag}`)].join(", ") : "Tags"}
        </Chip>
      }
    >
      <TagChoice {...props} />
    </Popover>
  );
}

function TypeFilter({ filters, onChange }: FilterProps) {
  const { type } = filters;
  const names = Object.keys(FILE_TYPES) as FileType[];
  const clear = () => onChange({ ...filters, type: undefined });
  return (
    <Menu
      align="start"
      trigger={
        <Chip
          icon={Image}
          on={type !== undefined}
          onRemove={type === undefined ? undefined : clear}
          removeLabel="Any type"
        >
          {type === undefined ? "Type" : FILE_TYPES[type].title}
        </Chip>
      }
      items={[
        { id: "any", title: "Any type", checked: type === undefined, onSelect: clear },
        ...names.map((name) => ({
          id: name,
          title: FILE_TYPES[name].title,
          checked: name === type,
          separated: name === "image" || name === "jpeg" || name === "mp4",
          onSelect: () => onChange({ ...filters, type: name }),
        })),
      ]}
    />
  );
}
