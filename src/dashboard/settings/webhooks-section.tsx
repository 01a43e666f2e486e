import { useState } from "react";
import type { NamedWebhook } from "../../client/index.ts";
import { useTestNamed, useWebhooks } from "../api/queries/webhooks.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatDate } from "../design/format.ts";
import { formatRelative } from "../design/format-relative.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import styles from "./sessions-section.module.css";
import words from "./webhook.module.css";

/** The account's webhooks with their state. Programs add them by the API; an account without webhooks sees nothing. */
export default function WebhooksSection() {
  const { data: webhooks, error, refetch } = useWebhooks();
  if (error !== null && webhooks === undefined)
    return <Problem error={error} title="The webhooks could not be loaded" onRetry={() => void refetch()} />;
  if (webhooks === undefined || webhooks.length === 0) return null;
  return (
    <Section title="Events" description="Webhooks that get your account's events, and the answers of their receivers.">
      <ul className={styles.list} aria-label="Webhooks">
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.name} of={webhook} />
        ))}
      </ul>
    </Section>
  );
}

function WebhookRow({ of: webhook }: { readonly of: NamedWebhook }) {
  const { name, url, events } = webhook;
  const test = useTestNamed(name);
  const [isListing, setListing] = useState(false);
  const problem = problemOf(webhook);
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.device}>{name}</p>
        <p className={styles.facts}>
          <span>{url}</span>
          <span>{events.join(", ")}</span>
        </p>
        {problem !== undefined && <p className={words.bad}>{problem}</p>}
        <span role="status" className={test.data?.delivered === true ? words.good : words.bad}>
          {test.data !== undefined && `Test: ${test.data.status ?? test.data.error ?? "sent"}`}
          {test.error !== null && describeError(test.error).message}
        </span>
      </div>
      <div className={words.row}>
        <Button size="small" busy={test.isPending} aria-label={`Send a test to ${name}`} onClick={() => test.mutate()}>
          Test
        </Button>
        <Button size="small" aria-label={`Deliveries of ${name}`} onClick={() => setListing(true)}>
          Deliveries
        </Button>
      </div>
      <DeliveriesDialog name={name} open={isListing} onOpenChange={setListing} />
    </li>
  );
}

function problemOf({ state, disabledAt, disabledReason, failingSince, nextAttemptAt }: NamedWebhook) {
  if (disabledAt !== null) {
    const cause =
      disabledReason === "gone" ? "The receiver answered 410" : "The receiver accepted nothing for three days";
    return `Disabled on ${formatDate(disabledAt, "time")}. ${cause}. Set the webhook again when it works.`;
  }
  if (state === "paused") return "Paused: your tier has room for fewer webhooks.";
  if (failingSince === null) return undefined;
  const next = nextAttemptAt === null ? "" : ` Next attempt ${formatRelative(nextAttemptAt)}.`;
  return `Nothing accepted since ${formatDate(failingSince, "time")}.${next}`;
}
