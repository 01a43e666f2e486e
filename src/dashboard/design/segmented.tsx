import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { classNames } from "./class-names.ts";
import styles from "./segmented.module.css";

interface SegmentedOption<Value extends string> {
  readonly value: Value;
  readonly title: string;
  /** Shown instead of the title, which stays the accessible name. */
  readonly icon?: LucideIcon;
}

interface SegmentedProps<Value extends string> {
  /** The group's accessible name. */
  readonly label: string;
  readonly options: readonly SegmentedOption<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}

/** Radio buttons in a row. */
export function Segmented<Value extends string>({ label, options, value, onChange, className }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classNames(styles.group, className)}>
      {options.map(({ value: each, title, icon: Icon }) => (
        <label key={each} className={styles.option} data-tip={Icon && title}>
          <input
            type="radio"
            className="hidden-text"
            name={name}
            value={each}
            checked={each === value}
            aria-label={title}
            onChange={() => onChange(each)}
          />
          {Icon ? <Icon size={16} aria-hidden /> : title}
        </label>
      ))}
    </div>
  );
}
