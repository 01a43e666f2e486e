import { useState } from "react";
import type { NewKey } from "../../../client/index.ts";
import { useRegenerateUploadKey } from "../../api/queries/keys.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { formatRelative } from "../../design/format.ts";
import { ShownKey } from "./shown-key.tsx";

interface RegenerateDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** There is no key yet that would stop. */
  readonly isFirst: boolean;
  readonly lastUsedAt: string | null;
}

/** Asks before the upload key is replaced, then shows the new one. */
export function RegenerateDialog({ open, onOpenChange, isFirst, lastUsedAt }: RegenerateDialogProps) {
  const regenerate = useRegenerateUploadKey();
  const [made, setMade] = useState<NewKey>();
  const used = lastUsedAt === null ? "It was never used." : `It was last used ${formatRelative(lastUsedAt)}.`;
  return (
    <>
      <ConfirmDialog
        open={open}
        onOpenChange={onOpenChange}
        title={isFirst ? "Make an upload key?" : "Regenerate the upload key?"}
        action={isFirst ? "Make key" : "Regenerate"}
        tone={isFirst ? "main" : "danger"}
        onConfirm={async () => setMade(await regenerate.mutateAsync(undefined))}
      >
        {isFirst ? (
          "With it, programs upload files to this account."
        ) : (
          <>
            The old key stops at once: whatever uploads with it is refused until it has the new one. {used} Files that
            it uploaded stay.
          </>
        )}
      </ConfirmDialog>
      <Dialog
        open={made !== undefined}
        onOpenChange={() => setMade(undefined)}
        title="Your new upload key"
        width={620}
        required
        footer={
          <Button tone="main" onClick={() => setMade(undefined)}>
            I have kept it
          </Button>
        }
      >
        {made !== undefined && <ShownKey secret={made.key} takesFocus />}
      </Dialog>
    </>
  );
}
