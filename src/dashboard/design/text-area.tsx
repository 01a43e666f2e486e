import { type Ref, type TextareaHTMLAttributes, useId } from "react";
import { classNames } from "./class-names.ts";
import styles from "./field.module.css";

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string;
  readonly name: string;
  readonly error?: string | undefined;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** Labelled lines of text. */
export function TextArea({ label, name, error, className, rows = 4, ...props }: TextAreaProps) {
  const id = useId();
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...props}
        id={id}
        name={name}
        rows={rows}
        className={styles.input}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      <p id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
