import type { NamedWebhook, NewNamedWebhook } from "../../../client/types.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { Secret } from "../../design/secret.tsx";
import { SecretDialog } from "../../design/secret-dialog.tsx";
import { WebhookForm } from "./webhook-form.tsx";

interface EditWebhookDialogProps {
  /** The webhook to change; undefined for a new one. */
  readonly webhook?: NamedWebhook;
  /** The names of the account's webhooks. */
  readonly names?: readonly string[];
  readonly tier: TierName;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Adds or changes a webhook, then shows its secret. */
export function EditWebhookDialog({ webhook, names = [], tier, ...props }: EditWebhookDialogProps) {
  return (
    <SecretDialog<NewNamedWebhook>
      {...props}
      title={webhook === undefined ? "Add webhook" : `Edit “${webhook.name}”`}
      description={webhook === undefined ? undefined : "Saving makes a new secret. The old one stops working."}
      form={(onMade, onCancel) => (
        <WebhookForm webhook={webhook} names={names} tier={tier} onMade={onMade} onCancel={onCancel} />
      )}
      show={({ secret }) => ({
        title: "The webhook's secret",
        description: "Use it to verify the signature of each message (Standard Webhooks). It is shown only once.",
        width: 560,
        action: "I saved the secret",
        body: <Secret text={secret} label="Secret" />,
      })}
    />
  );
}
