import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Field } from "../../design/field.tsx";
import { Segmented } from "../../design/segmented.tsx";
import styles from "./date-choice.module.css";
import type { FilterProps } from "./filter-props.ts";

const DAY_MS = 86_400_000;

interface DateChoiceProps extends FilterProps {
  readonly close: () => void;
}

const DATES = [
  { value: "uploaded", title: "Uploaded" },
  { value: "taken", title: "Taken" },
] as const;

/** Preset ranges of the day of the upload or of the picture, and two fields for any other range. */
export default function DateChoice({ filters, onChange, close }: DateChoiceProps) {
  const [date, setDate] = useState<(typeof DATES)[number]["value"]>(
    filters.takenFrom !== undefined || filters.takenTo !== undefined ? "taken" : "uploaded",
  );
  const isTaken = date === "taken";
  const [from, to] = isTaken ? [filters.takenFrom, filters.takenTo] : [filters.from, filters.to];
  const set = (range: { readonly from?: string | undefined; readonly to?: string | undefined }) =>
    onChange({
      ...filters,
      ...(isTaken ? { takenFrom: range.from, takenTo: range.to } : { from: range.from, to: range.to }),
    });
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
    <div className={styles.dates}>
      <Segmented className={styles.wide} label="Which date" options={DATES} value={date} onChange={setDate} />
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
      {!isTaken && <p className={styles.note}>Days of the upload are in UTC.</p>}
    </div>
  );
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
