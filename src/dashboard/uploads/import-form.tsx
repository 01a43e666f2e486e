import { type SubmitEvent, useId, useRef, useState } from "react";
import type { ImportRequest } from "../../client/types.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import form from "../design/dialog-form.module.css";
import field from "../design/field.module.css";
import { formatPlural } from "../design/format.ts";
import { isUnconfirmed } from "../design/is-unconfirmed.ts";
import { Problem } from "../design/problem.tsx";
import styles from "./import-dialog.module.css";
import { MOST_URLS, readUrls } from "./read-urls.ts";
import { useUploadOptions } from "./upload-option-fields.tsx";

type Items = ImportRequest["items"];

interface ImportFormProps {
  readonly text: string;
  /** The shown folder, which is chosen at first. */
  readonly shownId: string | null;
  readonly onClose: () => void;
  /** @param key the same for a repeat of the same items, so that it begins no second import @throws MediaHostError */
  readonly send: (items: Items, key: string) => Promise<void>;
}

/** Asks for the URLs of an import, or shows the pasted ones, and for the options of its files. */
export function ImportForm({ text: pasted, shownId, onClose, send }: ImportFormProps) {
  const id = useId();
  const [text, setText] = useState(pasted);
  const { fields, options } = useUploadOptions(shownId);
  const last = useRef<{ readonly body: string; readonly key: string }>(undefined);
  const [problem, setProblem] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const { urls, wrong } = readUrls(text);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const found = problemOf(urls, wrong);
    setProblem(found);
    if (found !== undefined || options === undefined || busy) return;
    const items = urls.map((url) => ({ url, ...options }));
    const body = JSON.stringify(items);
    if (last.current?.body !== body) last.current = { body, key: newKey() };
    setBusy(true);
    setError(undefined);
    try {
      await send(items, last.current.key);
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={urls.length === 0 ? "Import from the web" : `Import ${formatPlural(urls.length, "file")} from the web?`}
      description="The service fetches the files from these addresses and stores them."
      width={560}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="main" busy={busy}>
            Import
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className={form.form}>
        <div className={field.field}>
          <label className={field.label} htmlFor={`${id}-urls`}>
            Addresses, one a line
          </label>
          <textarea
            id={`${id}-urls`}
            className={`${field.input} ${styles.text}`}
            rows={6}
            spellCheck={false}
            placeholder="https://files.example.com/beach.jpg"
            value={text}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-error`}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setProblem(undefined);
            }}
          />
          <p id={`${id}-error`} className={field.error} aria-live="polite">
            {problem}
          </p>
        </div>
        {fields}
      </form>
      {error !== undefined && (
        <Problem
          error={error}
          title={isUnconfirmed(error) ? "The import was not confirmed" : "The import did not start"}
        />
      )}
    </Dialog>
  );
}

function problemOf(urls: readonly string[], wrong: string | undefined): string | undefined {
  if (urls.length === 0) return "Enter an address such as https://files.example.com/beach.jpg";
  if (wrong !== undefined) return `This line is not an http or https address: ${wrong.slice(0, 80)}`;
  if (urls.length > MOST_URLS) return `At most ${MOST_URLS} addresses at once`;
  return undefined;
}

/** Pages without TLS lack `crypto.randomUUID`. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
