import { type FormEvent, type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from "react";
import { classNames } from "./class-names.ts";
import styles from "./field.module.css";
import { formatPlural } from "./format.ts";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "size"> {
  readonly label: string;
  readonly name: string;
  /** The service's message, shown under the field. */
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** An element at the end of the field's row, such as a button. */
  readonly after?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A text input with a label. A value that fails validation is explained under the field. */
export function Field({ label, name, error: given, hint, after, className, onInput, ...props }: FieldProps) {
  const id = useId();
  const [refusal, setRefusal] = useState<string>();
  const error = refusal ?? given;
  const refuse = (event: FormEvent<HTMLInputElement>) => {
    const { currentTarget: input } = event;
    // The browser's own message is in the browser's language and disappears after a few seconds.
    event.preventDefault();
    setRefusal(refusalWords(input, label));
    if (input.form?.querySelector(":invalid") === input) input.focus();
  };
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
          onInvalid={refuse}
          onInput={(event) => {
            if (refusal !== undefined) setRefusal(refusalWords(event.currentTarget, label));
            onInput?.(event);
          }}
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

/** The reason why a field rejects its value; undefined if it is valid. */
function refusalWords(input: HTMLInputElement, label: string): string | undefined {
  const { validity, type, value, minLength } = input;
  if (validity.valid) return undefined;
  if (validity.valueMissing) return `${label} is required`;
  if (validity.typeMismatch && type === "email") return "Enter an e-mail address such as name@example.com";
  if (validity.typeMismatch && type === "url") return "Enter an address such as https://example.com";
  if (validity.patternMismatch && input.title !== "") return input.title;
  if (validity.tooShort) {
    return formatPlural(minLength - value.length, "more character is needed", "more characters are needed");
  }
  return input.validationMessage;
}
