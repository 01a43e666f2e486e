import { useState } from "react";
import type { NewShare, Share } from "../../client/types.ts";
import { useCreateShare } from "../api/queries/shares.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { ShareForm } from "./share-form.tsx";
import { ShareLink } from "./share-link.tsx";

interface NewShareDialogProps {
  /** The files in words, for example "3 files" or "Holidays". */
  readonly what: string;
  readonly files: Pick<NewShare, "folderId" | "ids">;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Shares files by a page, then shows its link. The page shows private files, too. */
export function NewShareDialog({ what, files, open, onOpenChange }: NewShareDialogProps) {
  const create = useCreateShare();
  const [made, setMade] = useState<Share>();
  const close = () => onOpenChange(false);
  if (made === undefined) {
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title={`Share ${what}`}
        description="Everyone who has the link can open the page, without an account."
      >
        <ShareForm
          isFolder={files.folderId !== undefined}
          error={create.error}
          busy={create.isPending}
          onSave={(terms) => create.mutate({ ...files, ...terms }, { onSuccess: setMade })}
          onCancel={close}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${what} shared`}
      description="The link is also on the page Shares, where you can change or end it."
      footer={
        <>
          <LinkButton to="/shares" onClick={close}>
            Shares
          </LinkButton>
          <Button tone="main" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <ShareLink url={made.url} />
    </Dialog>
  );
}
