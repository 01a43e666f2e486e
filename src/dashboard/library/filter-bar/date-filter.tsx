import { CalendarDays } from "lucide-react";
import { Button } from "../../design/button.tsx";
import { Chip } from "../../design/chip.tsx";
import { Field } from "../../design/field.tsx";
import { formatDate } from "../../design/format.ts";
import { Popover } from "../../design/popover.tsx";
import type { Filters } from "../filters.ts";
import styles from "./date-filter.module.css";
import type { FilterProps } from "./filter-bar.tsx";

const DAY_MS = 86_400_000;

/** Which files: by the day they were uploaded, UTC. */
export function DateFilter({ filters, onChange }: FilterProps) {
  const { from, to } = filters;
  const isOn = from !== undefined || to !== undefined;
  const set = (change: Partial<Filters>) => onChange({ ...filters, from: undefined, to: undefined, ...change });
  const today = new Date();
  const daysAgo = (days: number) => dayOf(new Date(today.getTime() - days * DAY_MS));
  const year = today.getUTCFullYear();
  const presets = [
    { title: "Last 7 days", from: daysAgo(6) },
    { title: "Last 30 days", from: daysAgo(29) },
    { title: "This year", from: `${year}-01-01` },
    { title: "Last year", from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
  ];
  return (
    <Popover
      label="Uploaded when"
      align="start"
      trigger={
        <Chip icon={CalendarDays} on={isOn} onRemove={isOn ? () => set({}) : undefined} removeLabel="Any date">
          {isOn ? nameOf(from, to) : "Date"}
        </Chip>
      }
    >
      {(close) => (
        <div className={styles.dates}>
          <div className={styles.presets}>
            {presets.map(({ title, ...range }) => (
              <Button
                key={title}
                size="small"
                onClick={() => {
                  set(range);
                  close();
                }}
              >
                {title}
              </Button>
            ))}
          </div>
          <Field
            label="From"
            name="from"
            type="date"
            value={from ?? ""}
            max={to}
            onChange={(event) => set({ from: event.currentTarget.value || undefined, to })}
          />
          <Field
            label="To"
            name="to"
            type="date"
            value={to ?? ""}
            min={from}
            onChange={(event) => set({ from, to: event.currentTarget.value || undefined })}
          />
        </div>
      )}
    </Popover>
  );
}

export function nameOf(from: string | undefined, to: string | undefined): string {
  const day = (date: string) => formatDate(`${date}T12:00:00Z`, "short");
  if (from === undefined) return `Until ${day(to ?? "")}`;
  if (from === to) return day(from);
  return to === undefined ? `Since ${day(from)}` : `${day(from)} – ${day(to)}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
