import { type Ref, type SelectHTMLAttributes, useId } from "react";
import { classNames } from "./class-names.ts";
import field from "./field.module.css";
import styles from "./select.module.css";

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value"> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLSelectElement>;
}

/** The browser's own select: it works well on phones and has type-ahead. */
export function Select({ label, options, value, onChange, className, ...props }: SelectProps) {
  const id = useId();
  return (
    <div className={classNames(field.field, className)}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <select
        {...props}
        id={id}
        value={value}
        className={classNames(field.input, styles.select)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </div>
  );
}
