import { toLogLine } from "../domain/log-line.ts";
import type { AlertRaised, QueueName, UploadStored } from "../domain/queue-messages.ts";
import { openAlertContext } from "../services/alerts/open-alert-context.ts";
import { handOnCounts } from "../services/metrics/hand-on-counts.ts";
import { openThumbnailContext } from "../services/thumbnails/open-thumbnail-context.ts";
import { type Backoff, backoffSeconds, longBackoffSeconds } from "./backoff.ts";
import { handleDead } from "./dead-messages.ts";
import { handleRaisedAlert } from "./handle-raised-alert.ts";
import { handleStoredUpload } from "./handle-stored-upload.ts";
import type { HandledMessage } from "./handled-message.ts";
import { parseMessage } from "./parse-message.ts";
import { recordViews, type ViewsMessage } from "./record-views.ts";

/** Where messages go that were retried in vain. They are handled in the same way, with longer delays. */
const DEAD: Readonly<Record<string, QueueName>> = {
  "uploads-dead": "uploads-dead",
  "views-dead": "views-dead",
  "alerts-dead": "alerts-dead",
};

interface Sorted {
  readonly views: ViewsMessage[];
  readonly stored: HandledMessage<UploadStored>[];
  readonly raised: HandledMessage<AlertRaised>[];
}

/** Handles what every queue brings. Each message is acknowledged or retried on its own. */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const dead = DEAD[/[a-z]+-dead$/.exec(batch.queue)?.[0] ?? ""];
  if (dead === undefined) await handle(batch.messages, backoffSeconds, env);
  else
    await handleDead(dead, batch.messages, openThumbnailContext(env), (messages) =>
      handle(messages, longBackoffSeconds, env),
    );
}

async function handle(messages: readonly HandledMessage[], backoff: Backoff, env: Env): Promise<void> {
  const { views, stored, raised } = sort(messages);
  const context = openThumbnailContext(env);
  await Promise.all([
    recordViews(views, backoff, context.meterOf),
    ...stored.map((message) => handleStoredUpload(message, backoff, context)),
    ...raised.map((message) => handleRaisedAlert(message, backoff, openAlertContext(env))),
  ]);
  // Views are counted by their accounts. What is counted of thumbnails cannot wait: an isolate of a queue's may have no other work for long.
  if (stored.length > 0 && context.config.metricsFlushSeconds > 0) await handOnCounts(context);
}

function sort(messages: readonly HandledMessage[]): Sorted {
  const sorted: Sorted = { views: [], stored: [], raised: [] };
  for (const message of messages) {
    const kind = parseMessage(message.body)?.type;
    switch (kind) {
      case "file.viewed":
      case "views.collected":
        sorted.views.push(message as ViewsMessage);
        break;
      case "upload.stored":
        sorted.stored.push(message as HandledMessage<UploadStored>);
        break;
      case "alert.raised":
        sorted.raised.push(message as HandledMessage<AlertRaised>);
        break;
      case undefined:
        // It is of a version that is no more, or of nobody: another delivery would not make it known.
        console.error(toLogLine("message.unknown", { messageId: message.id }));
        message.ack();
        break;
      default:
        kind satisfies never;
    }
  }
  return sorted;
}
