import Plus from "lucide-react/icons/plus";
import Webhook from "lucide-react/icons/webhook";
import { useState } from "react";
import type { NamedWebhook } from "../../../client/types.ts";
import { MAX_WEBHOOKS } from "../../../domain/events.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { useRemoveWebhook, useTestWebhook, useWebhooks } from "../../api/queries/webhooks.ts";
import { tierName } from "../../api/tier-words.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { describeError } from "../../design/describe-error.ts";
import { Empty } from "../../design/empty.tsx";
import { formatDate, formatPlural } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import { Problem } from "../../design/problem.tsx";
import styles from "../../design/rows.module.css";
import { Section } from "../../design/section.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { toast } from "../../design/toast.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import { eventsInWords } from "./event-words.ts";
import { outcomeInWords } from "./outcome-words.ts";

type WebhookPart = "deliveries" | "edit" | "remove";

interface WebhookDialogsProps {
  readonly of: NamedWebhook;
  /** The open dialog. */
  readonly part: WebhookPart | undefined;
  readonly tier: TierName;
  readonly onClose: () => void;
}

interface WebhookRowProps {
  readonly of: NamedWebhook;
  readonly onOpen: (part: WebhookPart) => void;
}

interface WebhooksSectionProps {
  readonly tier: TierName;
}

/** The account's webhooks: their events, state and last deliveries. */
export default function WebhooksSection({ tier }: WebhooksSectionProps) {
  const { data: webhooks, error, refetch } = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<{ readonly webhook: NamedWebhook; readonly part?: WebhookPart }>();
  const most = MAX_WEBHOOKS[tier];
  const isFull = webhooks !== undefined && webhooks.length >= most;
  return (
    <Section
      title="Webhooks"
      description="A signed POST request to your server for each event that you choose (Standard Webhooks)."
      aside={
        webhooks !== undefined &&
        !isFull && (
          <Button tone="main" icon={Plus} onClick={() => setAdding(true)}>
            Add webhook
          </Button>
        )
      }
    >
      {webhooks === undefined && error === null && <Skeleton height={34} />}
      {error !== null && webhooks === undefined && (
        <Problem error={error} title="The webhooks could not be loaded" onRetry={() => void refetch()} />
      )}
      {webhooks?.length === 0 && (
        <Empty icon={Webhook} title="No webhook yet">
          Your server gets a message when a file is stored, changed or deleted. It can also ask for events by GET
          /events.
        </Empty>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <ul className={styles.list} aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.name} of={webhook} onOpen={(part) => setOpened({ webhook, part })} />
          ))}
        </ul>
      )}
      {isFull && (
        <p className={styles.soft}>
          {tierName(tier)} has room for {formatPlural(most, "webhook", "webhooks")}.
        </p>
      )}
      {opened !== undefined && (
        <WebhookDialogs
          key={opened.webhook.name}
          of={opened.webhook}
          part={opened.part}
          tier={tier}
          onClose={() => setOpened({ webhook: opened.webhook })}
        />
      )}
      <EditWebhookDialog
        names={webhooks?.map(({ name }) => name) ?? []}
        tier={tier}
        open={isAdding}
        onOpenChange={setAdding}
      />
    </Section>
  );
}

/** A webhook with its state and the actions on it. */
function WebhookRow({ of: webhook, onOpen }: WebhookRowProps) {
  const { name, url, events } = webhook;
  const test = useTestWebhook(name);
  const problem = problemOf(webhook);
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
        <Button size="small" aria-label={`Deliveries of ${name}`} onClick={() => onOpen("deliveries")}>
          Deliveries
        </Button>
        <Button size="small" aria-label={`Edit ${name}`} onClick={() => onOpen("edit")}>
          Edit
        </Button>
        <Button size="small" tone="quiet" aria-label={`Remove ${name}`} onClick={() => onOpen("remove")}>
          Remove
        </Button>
      </div>
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

/** The dialogs of a webhook. They are beside the list, because they stay if another tab removes the webhook. */
function WebhookDialogs({ of: webhook, part, tier, onClose }: WebhookDialogsProps) {
  const { name } = webhook;
  const remove = useRemoveWebhook();
  const showing = (shown: WebhookPart) => ({ open: part === shown, onOpenChange: onClose });
  return (
    <>
      <DeliveriesDialog name={name} {...showing("deliveries")} />
      <EditWebhookDialog webhook={webhook} tier={tier} {...showing("edit")} />
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
