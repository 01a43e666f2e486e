import { classNames } from "./class-names.ts";
import styles from "./meter.module.css";

export interface MeterPart {
  readonly title: string;
  readonly value: number;
}

/** The shares of a limit at which the meter changes its colour. */
const WARN_SHARE = 0.8;
const DANGER_SHARE = 0.95;

/** The colour of a meter, by the used share of the limit. The parts are shades of it. */
export function meterTone(used: number, max: number): "accent" | "warn" | "danger" {
  if (used >= max * DANGER_SHARE) return "danger";
  return used >= max * WARN_SHARE ? "warn" : "accent";
}

interface MeterProps {
  /** The accessible name: "Storage". */
  readonly label: string;
  readonly parts: readonly MeterPart[];
  readonly max: number;
  /** The value as text: "131 of 200 GB". */
  readonly valueText: string;
  readonly className?: string;
}

/** The used part of a limit, as a bar of one or more parts. */
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
      data-tone={meterTone(total, max)}
      className={classNames(styles.meter, styles.shades, className)}
    >
      {parts.map(
        ({ title, value }, index) =>
          value > 0 && <span key={title} data-shade={index} style={{ inlineSize: `${(value / scale) * 100}%` }} />,
      )}
    </div>
  );
}
