import Send from "lucide-react/icons/send";
import Unplug from "lucide-react/icons/unplug";
import { useState } from "react";
import type { Webhook, WebhookTest } from "../../client/index.ts";
import { useRemoveWebhook, useTestWebhook } from "../api/queries/webhook.ts";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatDate } from "../design/format.ts";
import { formatRelative } from "../design/format-relative.ts";
import styles from "./webhook.module.css";

interface WebhookStateProps {
  readonly webhook: Webhook;
}

/** Sends test messages and shows the result of the last delivery. */
export function WebhookState({ webhook: { lastDelivery, disabledAt } }: WebhookStateProps) {
  const test = useTestWebhook();
  const remove = useRemoveWebhook();
  const [removing, setRemoving] = useState(false);
  const isGood = test.data?.delivered === true;
  return (
    <>
      <div className={styles.row}>
        <Button icon={Send} busy={test.isPending} onClick={() => test.mutate()}>
          Send test
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
          The webhook was disabled on {formatDate(disabledAt)}. Nothing is sent until you save the address again.
        </p>
      )}
      <p className={styles.soft}>
        {lastDelivery === null ? (
          "No alerts sent yet."
        ) : (
          <>
            Last delivery <time dateTime={lastDelivery.at}>{formatDate(lastDelivery.at, "time")}</time>:{" "}
            {lastDelivery.delivered
              ? `delivered, status ${lastDelivery.status ?? "2xx"}`
              : outcomeInWords(lastDelivery)}
            .
            {lastDelivery.nextAttemptAt !== null &&
              ` Next attempt (${lastDelivery.attempts + 1}) ${formatRelative(lastDelivery.nextAttemptAt)}.`}
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
        Alerts will only be shown on the Usage page. The secret is deleted; a new webhook gets a new secret.
      </ConfirmDialog>
    </>
  );
}

type DeliveryError = NonNullable<WebhookTest["error"]>;

const REASONS: Readonly<Record<DeliveryError, string>> = {
  timeout: "no response within ten seconds",
  connection: "the connection failed",
  dns: "the host name was not found",
  address: "the host name has no public address",
  redirect: "the receiver redirected, which is not followed",
  status: "the status was not 2xx",
  gone: "the receiver answered 410; no alerts are sent until you save the address again",
  email: "the e-mail could not be sent",
};

interface Outcome {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: DeliveryError | null;
}

/** A delivery's result: `200 in 41 ms`, `Not delivered: the host name was not found`. */
function outcomeInWords({ delivered, status, error }: Outcome, durationMs?: number): string {
  const time = durationMs === undefined ? "" : ` in ${durationMs} ms`;
  if (delivered) return `${status ?? "Delivered"}${time}`;
  const reason = error === null ? "unknown reason" : REASONS[error];
  return `Not delivered: ${reason}${status === null ? "" : ` (${status}${time})`}`;
}
