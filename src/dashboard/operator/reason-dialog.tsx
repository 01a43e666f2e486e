import { type ReactNode, type SubmitEvent, useState } from "react";
import { MAX_REASON_CHARACTERS } from "../../domain/operator.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import form from "../design/dialog-form.module.css";
import { Field } from "../design/field.tsx";
import { Problem } from "../design/problem.tsx";

interface ReasonDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** A question: "Suspend person@example.com?" */
  readonly title: string;
  /** The consequences. */
  readonly description: ReactNode;
  /** The verb: "Suspend". */
  readonly action: string;
  readonly tone?: "main" | "danger";
  /** The readers of the reason: "The owner reads it." */
  readonly reasonHint?: string;
  /** A text that must be typed before the action is possible, such as an e-mail. */
  readonly typed?: string;
  /** Further fields. */
  readonly children?: ReactNode;
  /** The dialog closes when this resolves, and shows the error if it rejects. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

/** Asks for the reason of an action of the operator. A failed action keeps the dialog and the reason, so that it can be repeated. */
export function ReasonDialog({
  open,
  onOpenChange,
  title,
  description,
  action,
  tone = "main",
  reasonHint = "The audit log keeps it.",
  typed,
  children,
  onConfirm,
}: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isMeant = typed === undefined || text.trim().toLowerCase() === typed.toLowerCase();
  const change = (next: boolean) => {
    if (isBusy) return;
    setReason("");
    setText("");
    setError(undefined);
    onOpenChange(next);
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy || !isMeant) return;
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm(reason.trim());
      setReason("");
      setText("");
      onOpenChange(false);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={description}>
      <form onSubmit={submit} className={form.form}>
        {children}
        <Field
          label="Reason"
          name="reason"
          required
          autoComplete="off"
          maxLength={MAX_REASON_CHARACTERS}
          pattern=".*\S.*"
          title="Reason is required"
          hint={reasonHint}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {typed !== undefined && (
          <Field
            label="Type the account's e-mail to confirm"
            name="typed"
            type="email"
            autoComplete="off"
            placeholder={typed}
            required
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {error !== undefined && (
          <Problem error={error} title="Nothing was confirmed. Try again: it is safe to repeat." />
        )}
        <div className={form.actions}>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" tone={tone} busy={isBusy} disabled={!isMeant}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
