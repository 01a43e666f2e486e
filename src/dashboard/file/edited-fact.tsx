import PenLine from "lucide-react/icons/pen-line";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { IconButton } from "../design/icon-button.tsx";
import styles from "./edited-fact.module.css";
import type { OnRefused } from "./file-facts.ts";

interface EditedFactProps {
  readonly label: string;
  /** The value as it is edited; empty if there is none. */
  readonly text: string;
  /** The value as it is shown; the text itself by default. */
  readonly shown?: ReactNode;
  readonly kind: "line" | "lines" | "code" | "time";
  /** The reason why a text is not valid; an empty text removes the fact. */
  readonly whyNot: (text: string) => string | undefined;
  readonly onSave: (text: string, onRefused: OnRefused) => void;
}

interface Draft {
  readonly text: string;
  readonly error?: string | undefined;
}

/** A fact that is edited in its place. The service's refusal opens the field again with the text that was sent. */
export function EditedFact({ label, text, shown = text, kind, whyNot, onSave }: EditedFactProps) {
  const [draft, setDraft] = useState<Draft>();
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setDraft(undefined);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const save = () => {
    if (draft === undefined) return;
    const sent = draft.text.trim();
    const error = sent === "" ? undefined : whyNot(sent);
    if (error !== undefined) return setDraft({ text: draft.text, error });
    close();
    if (sent !== text) onSave(sent, (refusal) => setDraft({ text: sent, error: refusal }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape would close the file.
    event.stopPropagation();
    const isLines = kind === "lines" || kind === "code";
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (!isLines || event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
  };
  const field = {
    className: kind === "code" ? `${styles.field} ${styles.code}` : styles.field,
    "aria-label": label,
    "aria-invalid": draft?.error !== undefined || undefined,
    "aria-describedby": draft?.error === undefined ? undefined : id,
    autoFocus: true,
    value: draft?.text ?? "",
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setDraft({ text: currentTarget.value }),
    onKeyDown,
  };
  return (
    <section>
      <h2 className={styles.label}>{label}</h2>
      {draft === undefined ? (
        <div className={styles.shown}>
          {text === "" ? <span className={styles.none}>None</span> : <div className={styles.value}>{shown}</div>}
          <IconButton
            ref={opener}
            size="small"
            icon={PenLine}
            label={`Edit ${label.toLowerCase()}`}
            onClick={() => setDraft({ text })}
          />
        </div>
      ) : (
        <div className={styles.form}>
          {kind === "line" || kind === "time" ? (
            <input {...field} type={kind === "time" ? "datetime-local" : "text"} autoComplete="off" />
          ) : (
            <textarea {...field} rows={kind === "code" ? 6 : 3} spellCheck={kind === "lines"} />
          )}
          {draft.error !== undefined && (
            <p id={id} role="alert" className={styles.error}>
              {draft.error}
            </p>
          )}
          <div className={styles.buttons}>
            <Button size="small" tone="main" onClick={save}>
              Save
            </Button>
            <Button size="small" onClick={close}>
              Cancel
            </Button>
            {text !== "" && (
              <Button size="small" tone="quiet" onClick={() => setDraft({ text: "" })}>
                Clear
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  );
}
