import type { NamedWebhook } from "../../../client/types.ts";
import { useTestWebhook } from "../../api/queries/webhooks.ts";
import { Button } from "../../design/button.tsx";
import { describeError } from "../../design/describe-error.ts";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import styles from "../../design/rows.module.css";
import { eventsInWords } from "./event-words.ts";
import { outcomeInWords } from "./outcome-words.ts";
import type { WebhookPart } from "./webhook-dialogs.tsx";

interface WebhookRowProps {
  readonly of: NamedWebhook;
  readonly onOpen: (part: WebhookPart) => void;
}

/** A webhook with its state and the actions on it. */
export function WebhookRow({ of: webhook, onOpen }: WebhookRowProps) {
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
