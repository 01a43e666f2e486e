import CheckCheck from "lucide-react/icons/check-check";
import { useState } from "react";
import { Link } from "wouter";
import type { ChangedDeadLetters, DeadLetter, OverdueIntent, RetriedIntent } from "../../client/types.ts";
import { useOperatorChange, useOperatorList, useServiceOverview } from "../api/queries/operator.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatCount, formatDate, formatPlural } from "../design/format.ts";
import { formatRelative } from "../design/format-relative.ts";
import { Problem } from "../design/problem.tsx";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import { type BarRow, BarTable } from "./bar-table.tsx";
import { ageWords } from "./figure-words.ts";
import styles from "./operator.module.css";
import { OperatorListView } from "./operator-list.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";

/** Waiting messages, messages that failed for hours, and changes that could not be finished. */
export default function QueuesSections() {
  return (
    <div className={styles.columns}>
      <QueuesSection />
      <div className={styles.stack}>
        <OverdueSection />
        <DeadLettersSection />
      </div>
    </div>
  );
}

function QueuesSection() {
  const { data, error, refetch } = useServiceOverview();
  const queues = data?.queues.map(
    ({ name, messages, oldestAgeSeconds }): BarRow => ({
      name,
      value: messages,
      text: formatCount(messages),
      note: messages === 0 ? "–" : ageWords(oldestAgeSeconds),
      tone: name.endsWith("-dead") ? "danger" : "accent",
    }),
  );
  return (
    <Section title="Queues" description="Waiting messages. A queue with “dead” in its name has messages that failed.">
      {queues === undefined && error === null && <Skeleton height={240} />}
      {error !== null && (
        <Problem error={error} title="The queues could not be loaded" onRetry={() => void refetch()} />
      )}
      {queues !== undefined && (
        <BarTable label="Queues" columns={["Queue", "Messages", "Oldest"]} rows={queues} max={maxOf(queues)} />
      )}
    </Section>
  );
}

/** A few messages are a short bar. */
const FULL_QUEUE = 100;

function maxOf(queues: readonly BarRow[]): number {
  return Math.max(FULL_QUEUE, ...queues.map(({ value }) => value));
}

const OUTCOMES: Readonly<Record<RetriedIntent["outcome"], string>> = {
  done: "The change is finished",
  failed: "The change failed again",
  "under-way": "The change is in progress",
  gone: "The change was finished before",
};

function OverdueSection() {
  const list = useOperatorList<OverdueIntent>("/admin/intents");
  const change = useOperatorChange<RetriedIntent>();
  const retry = async ({ accountId, id }: OverdueIntent) => {
    const order = { method: "POST", path: "/admin/intents/retry", body: { accountId, id }, reason: "Retry" } as const;
    await change.mutateAsync(order).then(
      ({ outcome, reason }) =>
        toast({ title: OUTCOMES[outcome], description: reason, tone: outcome === "failed" ? "danger" : "ok" }),
      (error) => toast({ title: "Not tried again", description: describeError(error).message, tone: "danger" }),
    );
  };
  return (
    <Section
      title="Overdue changes"
      description="They could be neither finished nor undone. They are tried again at least once an hour; nothing is lost."
    >
      <OperatorListView of={list} what="changes" empty={{ icon: CheckCheck, title: "No change is overdue" }}>
        {(intents) => (
          <ul className={rows.list} aria-label="Overdue changes">
            {intents.map((intent) => (
              <li key={`${intent.accountId} ${intent.id}`} className={rows.item}>
                <div className={rows.words}>
                  <p className={rows.name}>{intent.id}</p>
                  <p className={rows.bad}>{intent.reason}</p>
                  <p className={rows.facts}>
                    {formatPlural(intent.attempts, "attempt")} since {formatDate(intent.failedAt, "time")} · next{" "}
                    {formatRelative(intent.nextAt)} · <Link to={`/operator/accounts/${intent.accountId}`}>Account</Link>
                  </p>
                </div>
                <Button
                  size="small"
                  busy={change.isPending && (change.variables.body as { id?: string })?.id === intent.id}
                  aria-label={`Retry ${intent.id}`}
                  onClick={() => void retry(intent)}
                >
                  Retry
                </Button>
              </li>
            ))}
          </ul>
        )}
      </OperatorListView>
    </Section>
  );
}

/** Another operator, or an earlier try whose answer was lost, has handled the message. */
const HANDLED_BEFORE = "The message was sent again or dropped before";

function DeadLettersSection() {
  const list = useOperatorList<DeadLetter>("/admin/dead-letters");
  const resend = useOperatorChange<ChangedDeadLetters>();
  const drop = useOperatorChange<ChangedDeadLetters>();
  const [dropped, setDropped] = useState<DeadLetter>();
  const send = async ({ id }: DeadLetter) => {
    const order = { method: "POST", path: "/admin/dead-letters/retry", body: { ids: [id] }, reason: "Retry" } as const;
    await resend.mutateAsync(order).then(
      ({ letters }) => toast({ title: letters > 0 ? "Message sent again" : HANDLED_BEFORE, tone: "ok" }),
      (error) => toast({ title: "Not sent again", description: describeError(error).message, tone: "danger" }),
    );
  };
  return (
    <Section title="Dead letters" description="Messages that could not be delivered for hours.">
      <OperatorListView of={list} what="messages" empty={{ icon: CheckCheck, title: "Every message was delivered" }}>
        {(letters) => (
          <ul className={rows.list} aria-label="Dead letters">
            {letters.map((letter) => (
              <li key={letter.id} className={rows.item}>
                <div className={rows.words}>
                  <p className={rows.name}>{letter.type}</p>
                  <p className={rows.bad}>{letter.reason}</p>
                  <p className={rows.facts}>
                    {letter.queue} · {formatPlural(letter.attempts, "attempt")} since{" "}
                    {formatDate(letter.failedAt, "time")} ·{" "}
                    {letter.nextAt === null ? "given up" : `next ${formatRelative(letter.nextAt)}`}
                  </p>
                </div>
                <div className={rows.row}>
                  <Button
                    size="small"
                    busy={resend.isPending && (resend.variables.body as { ids?: string[] })?.ids?.[0] === letter.id}
                    aria-label={`Send again: ${letter.type}`}
                    onClick={() => void send(letter)}
                  >
                    Send again
                  </Button>
                  <Button
                    size="small"
                    tone="quiet"
                    aria-label={`Drop: ${letter.type}`}
                    onClick={() => setDropped(letter)}
                  >
                    Drop
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </OperatorListView>
      <ReasonDialog
        open={dropped !== undefined}
        onOpenChange={(open) => !open && setDropped(undefined)}
        title="Drop the message?"
        description="It is never delivered. A dropped view is not counted."
        action="Drop"
        tone="danger"
        onConfirm={async (reason) => {
          const body = { ids: [dropped?.id ?? ""] };
          const order = { method: "POST", path: "/admin/dead-letters/drop", body, reason } as const;
          const { letters } = await drop.mutateAsync(order);
          toast({ title: letters > 0 ? "Message dropped" : HANDLED_BEFORE, tone: "ok" });
        }}
      />
    </Section>
  );
}
