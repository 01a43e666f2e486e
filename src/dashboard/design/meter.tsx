import { classNames } from "./class-names.ts";
import styles from "./meter.module.css";

export interface MeterPart {
  readonly title: string;
  readonly value: number;
  readonly tone?: "ink" | "accent" | "warn" | "danger" | "ok";
}

interface MeterProps {
  /** Its name: "Storage". */
  readonly label: string;
  readonly parts: readonly MeterPart[];
  readonly max: number;
  /** What it says in words: "131 of 200 GB". */
  readonly valueText: string;
  readonly className?: string;
}

/** How much of a limit is used, in parts. */
export function Meter({ label, parts, max, valueText, className }: MeterProps) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const scale = Math.max(total, max, 1);
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(total, max)}
      aria-valuetext={valueText}
      className={classNames(styles.meter, className)}
    >
      {parts
        .filter(({ value }) => value > 0)
        .map(({ title, value, tone = "ink" }) => (
          <span key={title} className={styles[tone]} style={{ inlineSize: `${(value / scale) * 100}%` }} />
        ))}
    </div>
  );
}
