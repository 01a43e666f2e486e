import Send from "lucide-react/icons/send";
import Unplug from "lucide-react/icons/unplug";
import { useState } from "react";
import type { Webhook } from "../../client/index.ts";
import { useRemoveWebhook, useTestWebhook } from "../api/queries/webhook.ts";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatDate, formatRelative } from "../design/format.ts";
import styles from "./webhook.module.css";
import { outcomeInWords } from "./webhook-words.ts";

interface WebhookStateProps {
  readonly webhook: Webhook;
}

/** Tries the webhook out, and says what became of the last alert. */
export function WebhookState({ webhook: { lastDelivery, disabledAt } }: WebhookStateProps) {
  const test = useTestWebhook();
  const remove = useRemoveWebhook();
  const [removing, setRemoving] = useState(false);
  const isGood = test.data?.delivered === true;
  return (
    <>
      <div className={styles.row}>
        <Button icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button tone="quiet" icon={Unplug} onClick={() => setRemoving(true)}>
          Remove
        </Button>
        <span role="status" className={isGood ? styles.good : styles.bad}>
          {test.data !== undefined && outcomeInWords(test.data, test.data.durationMs)}
          {test.error !== null && describeError(test.error).message}
        </span>
      </div>
      {disabledAt !== null && (
        <p className={styles.bad}>
          Its receiver answered 410 on {formatDate(disabledAt)}. Nothing is sent to it until you save it again.
        </p>
      )}
      <p className={styles.soft}>
        {lastDelivery === null ? (
          "No alert was sent to it yet."
        ) : (
          <>
            Last delivery <time dateTime={lastDelivery.at}>{formatDate(lastDelivery.at, "time")}</time>:{" "}
            {lastDelivery.delivered
              ? `delivered, answered ${lastDelivery.status ?? "2xx"}`
              : outcomeInWords(lastDelivery)}
            .
            {lastDelivery.nextAttemptAt !== null &&
              ` Attempt ${lastDelivery.attempts + 1} ${formatRelative(lastDelivery.nextAttemptAt)}.`}
          </>
        )}
      </p>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title="Remove the webhook?"
        action="Remove"
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        Alerts are then shown on the usage page alone. Its secret is forgotten; another webhook has another one.
      </ConfirmDialog>
    </>
  );
}
