import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../design/class-names.ts";
import styles from "./name-field.module.css";

interface NameFieldProps {
  readonly name: string;
  /** The service's message about the name that was sent. */
  readonly error?: string | undefined;
  readonly onSave: (name: string) => void;
  /** Called instead of `onSave` if the name stays. */
  readonly onEnd: () => void;
  readonly className?: string | undefined;
}

/** The service's maximum. */
const MOST_CHARACTERS = 1024;

/** A field in a file's place that renames it: Enter and a click elsewhere save, Escape ends. */
export function NameField({ name, error: refusal, onSave, onEnd, className }: NameFieldProps) {
  const [text, setText] = useState(name);
  const [error, setError] = useState(refusal);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const id = useId();
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(0, stemLength(name));
  }, [name]);

  const end = (next: string) => {
    if (isOver.current) return;
    isOver.current = true;
    if (next === "" || next === name) onEnd();
    else onSave(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The page's shortcuts must not act on the file.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") end(name);
    else if (event.key !== "Enter") return;
    else if (text.trim() === "") setError("A name is required");
    // The same name is sent again after a refusal.
    else if (refusal !== undefined && text.trim() === name) onSave(name);
    else end(text.trim());
    event.preventDefault();
  };
  return (
    <span className={classNames(styles.place, className)}>
      <input
        ref={field}
        className={styles.field}
        aria-label="Name"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : id}
        value={text}
        maxLength={MOST_CHARACTERS}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setError(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => end(text.trim())}
      />
      {error !== undefined && (
        <span id={id} role="alert" className={styles.error}>
          {error}
        </span>
      )}
    </span>
  );
}

/** The number of UTF-16 units before the extension. */
function stemLength(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}
