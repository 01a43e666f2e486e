import type { ListedWebhookDelivery } from "../../../client/types.ts";
import { useDeliveries, useRedeliver } from "../../api/queries/webhooks.ts";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { formatDate } from "../../design/format.ts";
import { isUnconfirmed } from "../../design/is-unconfirmed.ts";
import { Problem } from "../../design/problem.tsx";
import styles from "../../design/rows.module.css";
import { Skeleton } from "../../design/skeleton.tsx";
import { outcomeInWords } from "./outcome-words.ts";

interface DeliveriesDialogProps {
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The last deliveries of a webhook, with request and answer; each can be sent again. */
export function DeliveriesDialog({ name, open, onOpenChange }: DeliveriesDialogProps) {
  const { data: deliveries, error, refetch } = useDeliveries(name, open);
  const redeliver = useRedeliver(name);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        redeliver.reset();
        onOpenChange(next);
      }}
      title={`Deliveries of ${name}`}
      description="The last 100 tries, newest first."
      width={640}
    >
      {deliveries === undefined && error === null && <Skeleton height={88} />}
      {error !== null && (
        <Problem error={error} title="The deliveries could not be loaded" onRetry={() => void refetch()} />
      )}
      {redeliver.error !== null && <Problem error={redeliver.error} title={titleOfFailure(redeliver.error)} />}
      {deliveries?.length === 0 && <p className={styles.soft}>Nothing sent yet. Test messages are not listed.</p>}
      <ul className={styles.list} aria-label="Deliveries">
        {deliveries?.map((delivery) => (
          <DeliveryRow
            key={delivery._id}
            of={delivery}
            busy={redeliver.isPending && redeliver.variables === delivery._id}
            onRedeliver={() => redeliver.mutate(delivery._id)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

/** The service may have sent the message if its answer was lost. */
function titleOfFailure(error: Error): string {
  return isUnconfirmed(error)
    ? "The message was not confirmed. If it was sent, it is the first of this list."
    : "The message could not be sent again";
}

interface DeliveryRowProps {
  readonly of: ListedWebhookDelivery;
  readonly busy: boolean;
  readonly onRedeliver: () => void;
}

function DeliveryRow({ of: delivery, busy, onRedeliver }: DeliveryRowProps) {
  const { type, at, delivered, answer, request } = delivery;
  const time = formatDate(at, "time");
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <p className={styles.name}>{type}</p>
        <p className={styles.facts}>
          {time} · <span className={delivered ? styles.good : styles.bad}>{outcomeInWords(delivery)}</span>
        </p>
      </div>
      {request.body !== null && (
        <Button size="small" busy={busy} aria-label={`Send again: ${type} of ${time}`} onClick={onRedeliver}>
          Send again
        </Button>
      )}
      <details className={styles.more}>
        <summary>Request and answer</summary>
        <p className={styles.facts}>POST {request.url}</p>
        {request.body === null ? (
          <p className={styles.soft}>The message is older than 30 days.</p>
        ) : (
          <CodeBlock code={JSON.stringify(request.body, null, 2)} label="request" />
        )}
        {answer === "" ? (
          <p className={styles.soft}>The answer was empty.</p>
        ) : (
          <CodeBlock code={answer} label="answer" />
        )}
      </details>
    </li>
  );
}
