import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./checkbox.module.css";
import { classNames } from "./class-names.ts";

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

export function Checkbox({ label, hint, className, ...props }: CheckboxProps) {
  return (
    <label className={classNames(styles.row, className)}>
      <input {...props} type="checkbox" className={styles.box} />
      <span>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  );
}
