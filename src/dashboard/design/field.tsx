import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { classNames } from "./class-names.ts";
import styles from "./field.module.css";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "size"> {
  readonly label: string;
  readonly name: string;
  /** What is wrong with it: the service's words, under the field. */
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** At the end of the field's row, such as a button. */
  readonly after?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled line of text. */
export function Field({ label, name, error, hint, after, className, ...props }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          {...props}
          id={id}
          name={name}
          className={styles.input}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={described.length === 0 ? undefined : described.join(" ")}
        />
        {after}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <p id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
