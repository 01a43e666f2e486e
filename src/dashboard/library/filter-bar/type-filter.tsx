import Image from "lucide-react/icons/image";
import { Chip } from "../../design/chip.tsx";
import { Menu } from "../../design/menu.tsx";
import { FILE_TYPES, type FileType } from "../file-types.ts";
import type { FilterProps } from "./filter-bar.tsx";

/** Which files: by what they are. */
export function TypeFilter({ filters, onChange }: FilterProps) {
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
