import Tag from "lucide-react/icons/tag";
import { Chip } from "../../design/chip.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Popover } from "../../design/popover.tsx";
import type { FilterProps } from "./filter-bar.tsx";

const TagChoice = lazyPart(() => import("./tag-choice.tsx"));

/** Which files: by tags that they have, and tags that they have not. */
export function TagFilter(props: FilterProps) {
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
