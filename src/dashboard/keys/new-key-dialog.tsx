import { useState } from "react";
import type { NewKey } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ShownKey } from "../shell/key-tools/shown-key.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

interface NewKeyDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Asks for a name and scopes, then shows the key. It is not lost by a press beside the window: that one has to be answered. */
export function NewKeyDialog({ open, onOpenChange }: NewKeyDialogProps) {
  const [made, setMade] = useState<NewKey>();
  const change = (next: boolean) => {
    if (!next) setMade(undefined);
    onOpenChange(next);
  };
  if (made === undefined) {
    return (
      <Dialog
        open={open}
        onOpenChange={change}
        title="New key"
        description="Every key uploads, lists, trashes and deletes files. Folders are a right of their own."
      >
        <NewKeyForm onMade={setMade} onCancel={() => change(false)} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={`“${made.name}” is ready`}
      width={620}
      required
      footer={
        <Button tone="main" onClick={() => change(false)}>
          I have kept it
        </Button>
      }
    >
      <ShownKey secret={made.key} takesFocus />
    </Dialog>
  );
}
