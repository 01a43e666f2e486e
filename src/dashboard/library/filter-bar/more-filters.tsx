import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import Star from "lucide-react/icons/star";
import Tag from "lucide-react/icons/tag";
import { Suspense } from "react";
import { Chip } from "../../design/chip.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Popover } from "../../design/popover.tsx";
import { isNarrowed } from "../view/filters.ts";
import { DateFilter } from "./date-filter.tsx";
import type { FilterProps } from "./filter-props.ts";
import { listFacts } from "./list-facts.ts";

const MoreChoice = lazyPart(() => import("./more-choice.tsx"));
const SaveSearch = lazyPart(() => import("../searches/save-search.tsx"));

/** The end of the filter bar, which is loaded after the files. */
export default function MoreFilters(props: FilterProps) {
  const { filters, onChange } = props;
  const facts = listFacts(filters);
  const isOn = facts.length > 0;
  const clear = () => onChange(Object.assign({}, filters, ...facts.map(([, without]) => without)));
  return (
    <>
      <DateFilter filters={filters} onChange={onChange} />
      <TagFilter filters={filters} onChange={onChange} />
      <Chip
        icon={Star}
        on={filters.fav}
        aria-pressed={filters.fav}
        onClick={() => onChange({ ...filters, fav: !filters.fav })}
      >
        Favourites
      </Chip>
      <Popover
        label="More filters"
        align="start"
        trigger={
          <Chip
            icon={SlidersHorizontal}
            on={isOn}
            onRemove={isOn ? clear : undefined}
            removeLabel="Remove more filters"
          >
            {facts.map(([title]) => title).join(", ") || "More"}
          </Chip>
        }
      >
        <MoreChoice {...props} />
      </Popover>
      {isNarrowed(filters) && (
        <Suspense fallback={null}>
          <SaveSearch filters={filters} />
        </Suspense>
      )}
    </>
  );
}

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
