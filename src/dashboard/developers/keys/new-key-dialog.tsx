import { useState } from "react";
import type { NewKey } from "../../../client/index.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { ShownKey } from "../../shell/key-tools/shown-key.tsx";
import { NewKeyForm } from "./new-key-form.tsx";
import { canUpload } from "./scopes.ts";

interface NewKeyDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The lazy dialog that asks for a key's name and limits, then shows the key. A click outside does not close the second dialog, so the key is not lost by accident. */
export default function NewKeyDialog({ open, onOpenChange }: NewKeyDialogProps) {
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
        description="Make a key for each program, with no more rights than the program needs."
      >
        <NewKeyForm onMade={setMade} onCancel={() => change(false)} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={`Key “${made.name}” created`}
      width={620}
      required
      footer={
        <Button tone="main" onClick={() => change(false)}>
          I saved the key
        </Button>
      }
    >
      <ShownKey secret={made.key} takesFocus canUpload={canUpload(made.scopes)} />
    </Dialog>
  );
}
