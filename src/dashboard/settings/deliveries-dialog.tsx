import type { ListedWebhookDelivery } from "../../client/index.ts";
import { useDeliveries, useRedeliver } from "../api/queries/webhooks.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import styles from "./sessions-section.module.css";
import words from "./webhook.module.css";

interface DeliveriesDialogProps {
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The last deliveries of a webhook; each can be sent again. */
export function DeliveriesDialog({ name, open, onOpenChange }: DeliveriesDialogProps) {
  const { data: deliveries, error, refetch } = useDeliveries(name, open);
  const redeliver = useRedeliver(name);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Deliveries of ${name}`}
      description="The last 100 tries, newest first."
      width={640}
    >
      {deliveries === undefined && error === null && <Skeleton height={88} />}
      {error !== null && (
        <Problem error={error} title="The deliveries could not be loaded" onRetry={() => void refetch()} />
      )}
      {redeliver.error !== null && <Problem error={redeliver.error} title="The message could not be sent again" />}
      {deliveries?.length === 0 && <p className={words.soft}>Nothing sent yet.</p>}
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

interface DeliveryRowProps {
  readonly of: ListedWebhookDelivery;
  readonly busy: boolean;
  readonly onRedeliver: () => void;
}

function DeliveryRow({
  of: { type, at, delivered, status, error, answer, request },
  busy,
  onRedeliver,
}: DeliveryRowProps) {
  const time = formatDate(at, "time");
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.device}>{type}</p>
        <p className={styles.facts}>
          <span>{time}</span>
          <span className={delivered ? words.good : words.bad}>{status ?? error ?? ""}</span>
          <span>{answer.slice(0, 120)}</span>
        </p>
      </div>
      {request.body !== null && (
        <Button size="small" busy={busy} aria-label={`Send ${type} of ${time} again`} onClick={onRedeliver}>
          Send again
        </Button>
      )}
    </li>
  );
}
