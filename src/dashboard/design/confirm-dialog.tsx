import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./confirm-dialog.module.css";
import { describeError } from "./describe-error.ts";
import { Dialog } from "./dialog.tsx";
import { reportGone } from "./report-gone.ts";

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** A question: "Delete 3 files permanently?" */
  readonly title: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** The verb: "Delete". */
  readonly action: string;
  readonly tone?: "main" | "danger";
  /** The dialog closes when this resolves, or if the thing is gone, and shows any other error. */
  readonly onConfirm: () => unknown;
}

/** Asks before an action that cannot be undone. Cancel has the focus. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, tone, onConfirm }: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const change = (next: boolean) => {
    setError(undefined);
    onOpenChange(next);
  };
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      change(false);
    } catch (thrown) {
      if (reportGone(thrown)) change(false);
      else setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const footer = (
    <>
      <Button ref={cancel} onClick={() => change(false)}>
        Cancel
      </Button>
      <Button tone={tone ?? "danger"} busy={busy} onClick={confirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={title}
      description={children}
      footer={footer}
      initialFocus={cancel}
    >
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {describeError(error).message}
        </p>
      )}
    </Dialog>
  );
}
