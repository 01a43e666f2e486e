import type { Key } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { Segmented } from "../design/segmented.tsx";
import { Select } from "../design/select.tsx";
import styles from "./log-filter-bar.module.css";
import type { LogFilters } from "./log-filters.ts";

const TYPES = [
  { value: "all", title: "All" },
  { value: "upload", title: "Uploads" },
  { value: "delete", title: "Deletions" },
  { value: "view", title: "Views" },
] as const;

interface LogFilterBarProps {
  readonly filters: LogFilters;
  readonly keys: readonly Key[];
  readonly onChange: (change: Partial<LogFilters>) => void;
}

/** The log's filters, which are stored in the URL. */
export function LogFilterBar({ filters: { type, keyId, from, to }, keys, onChange }: LogFilterBarProps) {
  const isFiltered = [type, keyId, from, to].some((value) => value !== undefined);
  const options = [
    { value: "", title: "All keys and the dashboard" },
    ...keys.map(({ _id, name, lastFour }) => ({ value: _id, title: `${name} …${lastFour}` })),
    // The log also contains operations of revoked keys.
    ...(keyId === undefined || keys.some(({ _id }) => _id === keyId) ? [] : [{ value: keyId, title: "Revoked key" }]),
  ];
  return (
    <div className={styles.bar}>
      <Segmented
        label="Operations"
        options={TYPES}
        value={type ?? "all"}
        onChange={(next) => onChange({ type: next === "all" ? undefined : next })}
      />
      <Select
        label="Key"
        className={styles.key}
        name="key"
        options={options}
        value={keyId ?? ""}
        onChange={(next) => onChange({ keyId: next === "" ? undefined : next })}
      />
      <Field
        label="From"
        name="from"
        type="date"
        value={from ?? ""}
        max={to}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <Field
        label="To"
        name="to"
        type="date"
        value={to ?? ""}
        min={from}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
      {isFiltered && (
        <Button
          tone="quiet"
          onClick={() => onChange({ type: undefined, keyId: undefined, from: undefined, to: undefined })}
        >
          Show all
        </Button>
      )}
    </div>
  );
}
