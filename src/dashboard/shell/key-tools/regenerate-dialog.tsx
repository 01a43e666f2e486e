import { useState } from "react";
import type { NewKey } from "../../../client/index.ts";
import { useRegenerateUploadKey } from "../../api/queries/keys.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { formatRelative } from "../../design/format-relative.ts";
import { isUnconfirmed } from "../../design/is-unconfirmed.ts";
import { ShownKey } from "./shown-key.tsx";

interface RegenerateDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The account has no upload key yet. */
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
        title={isFirst ? "Create an upload key?" : "Regenerate the upload key?"}
        action={isFirst ? "Create key" : "Regenerate"}
        tone={isFirst ? "main" : "danger"}
        onConfirm={async () => setMade(await regenerate.mutateAsync(undefined).catch(explain))}
      >
        {isFirst ? (
          "Programs use this key to upload."
        ) : (
          <>
            The old key stops working at once. Programs that use it cannot upload until you give them the new key.{" "}
            {used} Its uploads are kept.
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
            I saved the key
          </Button>
        }
      >
        {made !== undefined && <ShownKey secret={made.key} takesFocus />}
      </Dialog>
    </>
  );
}

/** @throws Error always: the given error, or one that says that the answer was lost */
function explain(error: unknown): never {
  throw isUnconfirmed(error)
    ? new Error(
        "The new key was not confirmed, and the old key may have stopped working. Try again for another new key.",
      )
    : error;
}
