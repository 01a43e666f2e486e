import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Field } from "../../design/field.tsx";
import styles from "./date-choice.module.css";
import type { FilterProps } from "./filter-props.ts";
import { nameSizes } from "./name-sizes.ts";

const MB = 1024 * 1024;
const RANGES = [
  { min: undefined, max: MB },
  { min: MB, max: 10 * MB },
  { min: 10 * MB, max: undefined },
  { min: 100 * MB, max: undefined },
] as const;

interface SizeChoiceProps extends FilterProps {
  readonly close: () => void;
}

/** Preset ranges of sizes, and a field for any other least size. */
export default function SizeChoice({ filters, onChange, close }: SizeChoiceProps) {
  const { min, max } = filters;
  const shown = min === undefined || max !== undefined ? "" : toMegabytes(min);
  const [text, setText] = useState(shown);
  return (
    <form
      className={styles.dates}
      onSubmit={(event) => {
        event.preventDefault();
        // The shown number is rounded, so a text that was not edited changes nothing.
        if (text === "" || text !== shown) onChange({ ...filters, min: toBytes(text), max: undefined });
        close();
      }}
    >
      <div className={styles.presets}>
        {RANGES.map((range) => (
          <Button
            key={nameSizes(range.min, range.max)}
            size="small"
            aria-pressed={range.min === min && range.max === max}
            onClick={() => {
              onChange({ ...filters, ...range });
              close();
            }}
          >
            {nameSizes(range.min, range.max)}
          </Button>
        ))}
      </div>
      <Field
        className={styles.wide}
        label="Larger than (MB)"
        name="min"
        type="number"
        inputMode="decimal"
        min={0}
        max={1_000_000}
        step="any"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        after={<Button type="submit">Show</Button>}
      />
    </form>
  );
}

/** The megabytes with at least three digits, so that 50 KB are "0.0488". */
function toMegabytes(bytes: number): string {
  const megabytes = bytes / MB;
  return String(megabytes < 100 ? Number(megabytes.toPrecision(3)) : Math.round(megabytes));
}

/** @returns undefined for an empty text and for 0, which are no limit */
function toBytes(text: string): number | undefined {
  return Math.round(Number(text) * MB) || undefined;
}
