import CalendarDays from "lucide-react/icons/calendar-days";
import { Chip } from "../../design/chip.tsx";
import { formatDate } from "../../design/format.ts";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Popover } from "../../design/popover.tsx";
import type { FilterProps } from "./filter-props.ts";

const DateChoice = lazyPart(() => import("./date-choice.tsx"));

/** Filters by the dates of the upload and of the picture, UTC. */
export function DateFilter({ filters, onChange }: FilterProps) {
  const { from, to, takenFrom, takenTo } = filters;
  const isTaken = takenFrom !== undefined || takenTo !== undefined;
  const isUploaded = from !== undefined || to !== undefined;
  const isOn = isUploaded || isTaken;
  const clear = () =>
    onChange({ ...filters, from: undefined, to: undefined, takenFrom: undefined, takenTo: undefined });
  const names = [
    ...(isUploaded ? [nameOf(from, to)] : []),
    ...(isTaken ? [`Taken: ${nameOf(takenFrom, takenTo)}`] : []),
  ];
  return (
    <Popover
      label="Date"
      align="start"
      trigger={
        <Chip icon={CalendarDays} on={isOn} onRemove={isOn ? clear : undefined} removeLabel="Any date">
          {isOn ? names.join(", ") : "Date"}
        </Chip>
      }
    >
      {(close) => <DateChoice filters={filters} onChange={onChange} close={close} />}
    </Popover>
  );
}

export function nameOf(from: string | undefined, to: string | undefined): string {
  const day = (date: string) => formatDate(`${date}T12:00:00Z`, "short");
  if (from === undefined) return `Until ${day(to ?? "")}`;
  if (from === to) return day(from);
  return to === undefined ? `Since ${day(from)}` : `${day(from)} – ${day(to)}`;
}
