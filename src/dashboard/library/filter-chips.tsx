import { Chip } from "../design/chip.tsx";
import { FILE_TYPES } from "./file-types.ts";
import { nameOf as nameDates } from "./filter-bar/date-filter.tsx";
import { nameOf as nameSizes } from "./filter-bar/size-filter.tsx";
import styles from "./filter-chips.module.css";
import type { Filters } from "./filters.ts";

interface FilterChipsProps {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}

/** Every filter that is set, each to be taken away. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { q, type, from, to, min, max, fav, tags, not } = filters;
  const set: [string, Partial<Filters>][] = [
    ...(q === "" ? [] : [[`“${q}”`, { q: "" }] as [string, Partial<Filters>]]),
    ...(type === undefined ? [] : [[FILE_TYPES[type].title, { type: undefined }] as [string, Partial<Filters>]]),
    ...(from === undefined && to === undefined
      ? []
      : [[nameDates(from, to), { from: undefined, to: undefined }] as [string, Partial<Filters>]]),
    ...(min === undefined && max === undefined
      ? []
      : [[nameSizes(min, max), { min: undefined, max: undefined }] as [string, Partial<Filters>]]),
    ...(fav ? [["Favourites", { fav: false }] as [string, Partial<Filters>]] : []),
    ...tags.map((tag): [string, Partial<Filters>] => [tag, { tags: tags.filter((each) => each !== tag) }]),
    ...not.map((tag): [string, Partial<Filters>] => [`−${tag}`, { not: not.filter((each) => each !== tag) }]),
  ];
  return (
    <div className={styles.chips}>
      {set.map(([title, without]) => {
        const remove = () => onChange({ ...filters, ...without });
        return (
          <Chip key={title} on onClick={remove} onRemove={remove} removeLabel={`Without ${title}`}>
            {title}
          </Chip>
        );
      })}
    </div>
  );
}
