import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { classNames } from "./class-names.ts";
import styles from "./switch.module.css";

interface SwitchProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "role"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

export function Switch({ label, hint, className, ...props }: SwitchProps) {
  return (
    <label className={classNames(styles.row, className)}>
      <span className={styles.text}>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
      <input {...props} type="checkbox" role="switch" className={styles.track} />
    </label>
  );
}
