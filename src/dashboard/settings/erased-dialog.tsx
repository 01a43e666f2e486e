import type { AccountDeleted } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { CodeBlock } from "../design/code-block.tsx";
import { Dialog } from "../design/dialog.tsx";

interface ErasedDialogProps {
  readonly erased: AccountDeleted;
}

/** Confirms the erasure and shows the receipt's address, which works without an account. */
export function ErasedDialog({ erased: { status, receipt } }: ErasedDialogProps) {
  const leave = () => location.assign("/dashboard/login");
  return (
    <Dialog
      open
      onOpenChange={leave}
      required
      title={status === "erased" ? "Your account is erased" : "Your account is being erased"}
      description={
        status === "erased"
          ? "Everything in your account is deleted. This address confirms it for 35 days:"
          : "Keys and sessions are revoked. Files are being deleted; follow progress at this address for 35 days:"
      }
      footer={
        <Button tone="main" onClick={leave}>
          Close
        </Button>
      }
    >
      <CodeBlock code={`${location.origin}/erasures/${receipt}`} label="receipt address" />
    </Dialog>
  );
}
