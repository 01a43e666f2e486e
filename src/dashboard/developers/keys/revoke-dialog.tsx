import type { Key } from "../../../client/index.ts";
import { useKeyAnalytics, useRevokeKey } from "../../api/queries/keys.ts";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { formatRelative } from "../../design/format-relative.ts";
import { toast } from "../../design/toast.tsx";
import { lossInWords } from "./analytics.ts";

interface RevokeDialogProps {
  readonly of: Key;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onRevoked?: () => void;
}

/** Asks before a key is revoked and shows its recent use. */
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
        toast({ title: `Key “${name}” revoked`, description: "It no longer works.", tone: "ok" });
        onRevoked?.();
      }}
    >
      The key ending in <code>{lastFour}</code> stops working at once. This cannot be undone.{" "}
      {lossInWords(data?.total.requests, lastUsed)} Its uploads are kept.
    </ConfirmDialog>
  );
}
