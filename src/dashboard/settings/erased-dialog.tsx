import type { AccountDeleted } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { CodeBlock } from "../design/code-block.tsx";
import { Dialog } from "../design/dialog.tsx";

interface ErasedDialogProps {
  /** Null if the service's answer was lost. */
  readonly erased: AccountDeleted | null;
}

/** Confirms the erasure and shows the receipt's address, which works without an account. */
export function ErasedDialog({ erased }: ErasedDialogProps) {
  const leave = () => location.assign("/dashboard/login");
  return (
    <Dialog
      open
      onOpenChange={leave}
      required
      title={erased?.status === "erasing" ? "Your account is being erased" : "Your account is erased"}
      description={descriptionOf(erased)}
      footer={
        <Button tone="main" onClick={leave}>
          Close
        </Button>
      }
    >
      {erased !== null && <CodeBlock code={`${location.origin}/erasures/${erased.receipt}`} label="receipt address" />}
    </Dialog>
  );
}

function descriptionOf(erased: AccountDeleted | null): string {
  if (erased === null) return "Keys and sessions are revoked. The server's answer was lost, and the receipt with it.";
  return erased.status === "erased"
    ? "Everything in your account is deleted. This address confirms it for 35 days:"
    : "Keys and sessions are revoked. Files are being deleted; follow progress at this address for 35 days:";
}
