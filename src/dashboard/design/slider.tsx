import type { InputHTMLAttributes } from "react";
import { classNames } from "./class-names.ts";
import styles from "./slider.module.css";

interface SliderProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "value" | "onChange"> {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
  /** The value as text: "6 columns". */
  readonly valueText?: string;
}

export function Slider({ label, value, onChange, valueText, className, ...props }: SliderProps) {
  return (
    <input
      {...props}
      type="range"
      className={classNames(styles.slider, className)}
      aria-label={label}
      aria-valuetext={valueText}
      value={value}
      onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
    />
  );
}
