import type { NamedWebhook } from "../../../client/types.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { useRemoveWebhook } from "../../api/queries/webhooks.ts";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { toast } from "../../design/toast.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

export type WebhookPart = "deliveries" | "edit" | "remove";

interface WebhookDialogsProps {
  readonly of: NamedWebhook;
  /** The open dialog. */
  readonly part: WebhookPart | undefined;
  readonly tier: TierName;
  readonly onClose: () => void;
}

/** The dialogs of a webhook. They are beside the list, because they stay if another tab removes the webhook. */
export function WebhookDialogs({ of: webhook, part, tier, onClose }: WebhookDialogsProps) {
  const { name } = webhook;
  const remove = useRemoveWebhook();
  const showing = (shown: WebhookPart) => ({ open: part === shown, onOpenChange: onClose });
  return (
    <>
      <DeliveriesDialog name={name} {...showing("deliveries")} />
      <WebhookDialog webhook={webhook} tier={tier} {...showing("edit")} />
      <ConfirmDialog
        {...showing("remove")}
        title={`Remove the webhook “${name}”?`}
        action="Remove"
        onConfirm={async () => {
          await remove.mutateAsync(name);
          toast({ title: `Webhook “${name}” removed`, tone: "ok" });
        }}
      >
        Events that its receiver has not accepted are not sent. Its secret and its list of deliveries are deleted.
      </ConfirmDialog>
    </>
  );
}
