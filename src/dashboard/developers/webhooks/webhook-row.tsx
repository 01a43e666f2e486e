import { useState } from "react";
import type { NamedWebhook } from "../../../client/types.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { useRemoveWebhook, useTestWebhook } from "../../api/queries/webhooks.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { describeError } from "../../design/describe-error.ts";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import styles from "../../design/rows.module.css";
import { toast } from "../../design/toast.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { eventsInWords } from "./event-words.ts";
import { outcomeInWords } from "./outcome-words.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

interface WebhookRowProps {
  readonly of: NamedWebhook;
  readonly tier: TierName;
}

/** A webhook with its state and the actions on it. */
export function WebhookRow({ of: webhook, tier }: WebhookRowProps) {
  const { name, url, events } = webhook;
  const test = useTestWebhook(name);
  const remove = useRemoveWebhook();
  const [shown, setShown] = useState<"deliveries" | "edit" | "remove">();
  const problem = problemOf(webhook);
  const showing = (what: typeof shown) => ({
    open: shown === what,
    onOpenChange: (open: boolean) => setShown(open ? what : undefined),
  });
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>{url}</p>
        <p className={styles.facts}>{eventsInWords(events)}</p>
        {problem !== undefined && <p className={styles.bad}>{problem}</p>}
        <p role="status" className={test.data?.delivered === true ? styles.good : styles.bad}>
          {test.data !== undefined && outcomeInWords(test.data)}
          {test.error !== null && describeError(test.error).message}
        </p>
      </div>
      <div className={styles.row}>
        <Button size="small" busy={test.isPending} aria-label={`Send test to ${name}`} onClick={() => test.mutate()}>
          Send test
        </Button>
        <Button size="small" aria-label={`Deliveries of ${name}`} onClick={() => setShown("deliveries")}>
          Deliveries
        </Button>
        <Button size="small" aria-label={`Edit ${name}`} onClick={() => setShown("edit")}>
          Edit
        </Button>
        <Button size="small" tone="quiet" aria-label={`Remove ${name}`} onClick={() => setShown("remove")}>
          Remove
        </Button>
      </div>
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
    </li>
  );
}

function problemOf({ state, disabledAt, disabledReason, failingSince, nextAttemptAt }: NamedWebhook) {
  if (disabledAt !== null) {
    const cause =
      disabledReason === "gone" ? "The receiver answered 410" : "The receiver accepted nothing for three days";
    return `Disabled on ${formatDate(disabledAt, "time")}. ${cause}. Edit and save the webhook when the receiver works.`;
  }
  if (state === "paused") return "Paused: your tier has room for fewer webhooks.";
  if (failingSince === null) return undefined;
  const next = nextAttemptAt === null ? "" : ` Next attempt ${formatRelative(nextAttemptAt)}.`;
  return `Nothing accepted since ${formatDate(failingSince, "time")}.${next}`;
}
