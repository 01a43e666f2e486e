import HardDrive from "lucide-react/icons/hard-drive";
import { Chip } from "../../design/chip.tsx";
import { formatBytes } from "../../design/format.ts";
import { Menu } from "../../design/menu.tsx";
import type { FilterProps } from "./filter-props.ts";

const MB = 1024 * 1024;
const RANGES = [
  { id: "small", min: undefined, max: MB },
  { id: "middle", min: MB, max: 10 * MB },
  { id: "large", min: 10 * MB, max: undefined },
  { id: "huge", min: 100 * MB, max: undefined },
] as const;

export function SizeFilter({ filters, onChange }: FilterProps) {
  const { min, max } = filters;
  const isOn = min !== undefined || max !== undefined;
  const clear = () => onChange({ ...filters, min: undefined, max: undefined });
  return (
    <Menu
      align="start"
      trigger={
        <Chip icon={HardDrive} on={isOn} onRemove={isOn ? clear : undefined} removeLabel="Any size">
          {isOn ? nameOf(min, max) : "Size"}
        </Chip>
      }
      items={[
        { id: "any", title: "Any size", checked: !isOn, onSelect: clear },
        ...RANGES.map((range, at) => ({
          id: range.id,
          title: nameOf(range.min, range.max),
          checked: range.min === min && range.max === max,
          separated: at === 0,
          onSelect: () => onChange({ ...filters, min: range.min, max: range.max }),
        })),
      ]}
    />
  );
}

export function nameOf(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `Up to ${formatBytes(max ?? 0)}`;
  return max === undefined ? `${formatBytes(min)} or more` : `${formatBytes(min)} to ${formatBytes(max)}`;
}
