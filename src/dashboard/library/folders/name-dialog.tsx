import { type FormEvent, useId, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/field.tsx";
import { reportGone } from "../../design/report-gone.ts";
import { fieldErrors } from "../../shell/field-errors.ts";

interface NameDialogProps {
  readonly open: boolean;
  readonly onOpenChange: () => void;
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  /** The text that a new name begins with. */
  readonly suggestion?: string;
  /** @throws Error whose message is shown under the field; if the thing is gone, the dialog closes */
  readonly onName: (name: string) => Promise<unknown>;
}

export function NameDialog({
  open,
  onOpenChange,
  title,
  action,
  name = "",
  suggestion = name,
  onName,
}: NameDialogProps) {
  const form = useId();
  const [text, setText] = useState(suggestion);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = text.trim();
    if (given === name) return onOpenChange();
    if (given === "") return setError("Enter a name");
    setBusy(true);
    try {
      await onName(given);
      onOpenChange();
    } catch (thrown) {
      if (reportGone(thrown)) return onOpenChange();
      const { fields, message } = fieldErrors(thrown, ["name"]);
      setError(fields.name ?? message);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      width={380}
      footer={
        <>
          <Button onClick={onOpenChange}>Cancel</Button>
          <Button type="submit" form={form} tone="main" busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field
          label="Name"
          name="folder-name"
          value={text}
          maxLength={100}
          autoComplete="off"
          error={error}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setError(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
