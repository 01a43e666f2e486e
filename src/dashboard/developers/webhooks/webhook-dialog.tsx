import { useState } from "react";
import type { NamedWebhook, NewNamedWebhook } from "../../../client/types.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Secret } from "../../design/secret.tsx";
import { WebhookForm } from "./webhook-form.tsx";

interface WebhookDialogProps {
  /** The webhook to change; undefined for a new one. */
  readonly webhook?: NamedWebhook;
  /** The names of the account's webhooks. */
  readonly names?: readonly string[];
  readonly tier: TierName;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Adds or changes a webhook, then shows its secret. A click outside does not close the second dialog, so the secret is not lost by accident. */
export function WebhookDialog({ webhook, names = [], tier, open, onOpenChange }: WebhookDialogProps) {
  const [made, setMade] = useState<NewNamedWebhook>();
  const change = (next: boolean) => {
    if (!next) setMade(undefined);
    onOpenChange(next);
  };
  if (made === undefined) {
    return (
      <Dialog
        open={open}
        onOpenChange={change}
        title={webhook === undefined ? "Add webhook" : `Edit “${webhook.name}”`}
        description={webhook === undefined ? undefined : "Saving makes a new secret. The old one stops working."}
      >
        <WebhookForm webhook={webhook} names={names} tier={tier} onMade={setMade} onCancel={() => change(false)} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="The webhook's secret"
      description="Use it to verify the signature of each message (Standard Webhooks). It is shown only once."
      width={560}
      required
      footer={
        <Button tone="main" onClick={() => change(false)}>
          I saved the secret
        </Button>
      }
    >
      <Secret text={made.secret} label="Secret" />
    </Dialog>
  );
}
