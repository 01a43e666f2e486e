import type { Key } from "../../client/index.ts";
import { useKeyAnalytics, useRevokeKey } from "../api/queries/keys.ts";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { formatRelative } from "../design/format.ts";
import { toast } from "../design/toast.tsx";
import { lossInWords } from "./analytics.ts";

interface RevokeDialogProps {
  readonly of: Key;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onRevoked?: () => void;
}

/** Asks before a key is revoked, and says what stops. */
export function RevokeDialog({
  of: { _id, name, lastFour, lastUsedAt },
  open,
  onOpenChange,
  onRevoked,
}: RevokeDialogProps) {
  const { data } = useKeyAnalytics(_id, open && lastUsedAt !== null);
  const revoke = useRevokeKey();
  const lastUsed = lastUsedAt === null ? undefined : formatRelative(lastUsedAt);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke “${name}”?`}
      action="Revoke"
      onConfirm={async () => {
        await revoke.mutateAsync(_id);
        toast({ title: `“${name}” is revoked`, description: "It is refused from now on.", tone: "ok" });
        onRevoked?.();
      }}
    >
      Whatever uses the key that ends in <code>{lastFour}</code> is refused at once, and there is no way back.{" "}
      {lossInWords(data?.total.requests, lastUsed)} Files that it uploaded stay.
    </ConfirmDialog>
  );
}
