import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Shown {
  readonly title: string;
  readonly description?: ReactNode;
  /** Pixels; 620 by default. */
  readonly width?: number;
  /** The button that closes the dialog, for example "I saved the key". */
  readonly action: string;
  readonly body: ReactNode;
}

interface SecretDialogProps<Made> {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  /** Asks for the terms. */
  readonly form: (onMade: (made: Made) => void, onCancel: () => void) => ReactNode;
  /** Shows the secret. */
  readonly show: (made: Made) => Shown;
}

/** Asks for the terms of something that has a secret, then shows the secret once. A click outside does not close it then. */
export function SecretDialog<Made>({ open, onOpenChange, title, description, form, show }: SecretDialogProps<Made>) {
  const [made, setMade] = useState<Made>();
  const change = (next: boolean) => {
    if (!next) setMade(undefined);
    onOpenChange(next);
  };
  const close = () => change(false);
  if (made === undefined) {
    return (
      <Dialog open={open} onOpenChange={change} title={title} description={description}>
        {form((next) => setMade(() => next), close)}
      </Dialog>
    );
  }
  const { width = 620, action, body, ...shown } = show(made);
  const footer = (
    <Button tone="main" onClick={close}>
      {action}
    </Button>
  );
  return (
    <Dialog open={open} onOpenChange={change} width={width} required footer={footer} {...shown}>
      {body}
    </Dialog>
  );
}
