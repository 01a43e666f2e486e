import type { AccountDeleted } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { CodeBlock } from "../design/code-block.tsx";
import { Dialog } from "../design/dialog.tsx";

interface ErasedDialogProps {
  readonly erased: AccountDeleted;
}

/** The end: what was erased, and how that can be asked for later, without an account. */
export function ErasedDialog({ erased: { status, receipt } }: ErasedDialogProps) {
  const leave = () => location.assign("/dashboard/login");
  return (
    <Dialog
      open
      onOpenChange={leave}
      required
      title={status === "erased" ? "Everything is erased" : "Everything is being erased"}
      description={
        status === "erased"
          ? "No file and nothing else of the account is left. For 35 days this address says so:"
          : "Your keys and sessions have stopped. Files go in the background; for 35 days this address says how far it is:"
      }
      footer={
        <Button tone="main" onClick={leave}>
          Leave
        </Button>
      }
    >
      <CodeBlock code={`${location.origin}/erasures/${receipt}`} label="Address of the receipt" />
    </Dialog>
  );
}
