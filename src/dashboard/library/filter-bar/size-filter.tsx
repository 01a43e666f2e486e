import HardDrive from "lucide-react/icons/hard-drive";
import { Chip } from "../../design/chip.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Popover } from "../../design/popover.tsx";
import type { FilterProps } from "./filter-props.ts";
import { nameSizes } from "./name-sizes.ts";

const SizeChoice = lazyPart(() => import("./size-choice.tsx"));

export function SizeFilter({ filters, onChange }: FilterProps) {
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
