import { toLogLine } from "../domain/log-line.ts";
import { toPath, versionOf } from "../domain/object-key.ts";
import type {
  AlertRaised,
  EventsDue,
  ImportDue,
  MailRequested,
  ModerationRequested,
  ProofRequested,
  QueueName,
  UploadStored,
} from "../domain/queue-messages.ts";
import type { VariantOrdered } from "../domain/variants/variant-order.ts";
import { type AlertContext, deliverAlert } from "../services/alerts/deliver-alert.ts";
import { type MailerBindings, openMailer } from "../services/mail/mailer.ts";
import { handOnCounts } from "../services/metrics/counts.ts";
import { openHook } from "../services/moderation/ask-hook.ts";
import { type Bindings, NO_REQUEST, openServices } from "../services/open-services.ts";
import { type Backoff, backoffSeconds, longBackoffSeconds } from "./backoff.ts";
import { handleDead } from "./dead-messages.ts";
import { handleDueEvents } from "./handle-due-events.ts";
import { handleDueImport } from "./handle-due-import.ts";
import { handleOrderedVariant } from "./handle-ordered-variant.ts";
import { handleRequestedMail } from "./handle-requested-mail.ts";
import { handleRequestedModeration } from "./handle-requested-moderation.ts";
import { handleStoredUpload } from "./handle-stored-upload.ts";
import type { HandledMessage } from "./handled-message.ts";
import { parseMessage } from "./parse-message.ts";
import { recordViews, type ViewsMessage } from "./record-views.ts";

/** The dead-letter queues. Their messages are handled in the same way, with longer delays. */
const DEAD: Readonly<Record<string, QueueName>> = {
  "uploads-dead": "uploads-dead",
  "views-dead": "views-dead",
  "alerts-dead": "alerts-dead",
  "mails-dead": "mails-dead",
  "moderation-dead": "moderation-dead",
  "imports-dead": "imports-dead",
};

interface Sorted {
  readonly views: ViewsMessage[];
  readonly stored: HandledMessage<UploadStored>[];
  readonly ordered: HandledMessage<VariantOrdered>[];
  readonly raised: HandledMessage<AlertRaised>[];
  readonly due: HandledMessage<EventsDue>[];
  readonly mails: HandledMessage<MailRequested | ProofRequested>[];
  readonly moderations: HandledMessage<ModerationRequested>[];
  readonly imports: HandledMessage<ImportDue>[];
}

/** Handles the messages of every queue. Each is acknowledged or retried separately. */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const dead = DEAD[/[a-z]+-dead$/.exec(batch.queue)?.[0] ?? ""];
  if (dead === undefined) await handle(batch.messages, backoffSeconds, env);
  else
    await handleDead(dead, batch.messages, openThumbnails(env), (messages) =>
      handle(messages, longBackoffSeconds, env),
    );
}

async function handle(messages: readonly HandledMessage[], backoff: Backoff, env: Env): Promise<void> {
  const { views, stored, ordered, raised, due, mails, moderations, imports } = sort(messages);
  const context = openThumbnails(env);
  const orders = {
    ...context,
    keeperOf: (fileKey: string) => env.VARIANT_MAKER.getByName(versionOf(toPath(fileKey).path)),
  };
  await Promise.all([
    recordViews(views, backoff, context.meterOf),
    ...stored.map((message) => handleStoredUpload(message, backoff, context)),
    ...ordered.map((message) => handleOrderedVariant(message, backoff, orders)),
    ...raised.map((message) => handleRaisedAlert(message, backoff, openMails(env))),
    ...due.map((message) => handleDueEvents(message, backoff, openEvents(env))),
    ...mails.map((message) => handleRequestedMail(message, backoff, openMails(env))),
    ...moderations.map((message) => handleRequestedModeration(message, backoff, openModeration(env))),
    ...imports.map((message) => handleDueImport(message, backoff, openServices(env, NO_REQUEST))),
  ]);
  // Accounts count their own views. Counts of thumbnails are flushed at once, because an isolate that serves queues may have no other work
  // for long.
  if (stored.length > 0 && context.config.metricsFlushSeconds > 0) await handOnCounts(context);
}

function sort(messages: readonly HandledMessage[]): Sorted {
  const sorted: Sorted = {
    views: [],
    stored: [],
    ordered: [],
    raised: [],
    due: [],
    mails: [],
    moderations: [],
    imports: [],
  };
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
      case "variant.ordered":
        sorted.ordered.push(message as HandledMessage<VariantOrdered>);
        break;
      case "alert.raised":
        sorted.raised.push(message as HandledMessage<AlertRaised>);
        break;
      case "events.due":
        sorted.due.push(message as HandledMessage<EventsDue>);
        break;
      case "mail.requested":
      case "proof.requested":
        sorted.mails.push(message as HandledMessage<MailRequested | ProofRequested>);
        break;
      case "moderation.requested":
        sorted.moderations.push(message as HandledMessage<ModerationRequested>);
        break;
      case "import.due":
        sorted.imports.push(message as HandledMessage<ImportDue>);
        break;
      case undefined:
        // The message is unknown or of a version that no longer runs: another delivery would not help.
        console.error(toLogLine("message.unknown", { messageId: message.id }));
        message.ack();
        break;
      default:
        kind satisfies never;
    }
  }
  return sorted;
}

/**
 * Makes the attempt that a message announces. The account's object records the receiver's answer and announces the next
 * attempt. The message itself is retried only if that object or the directory was not reached.
 */
async function handleRaisedAlert(
  message: HandledMessage<AlertRaised>,
  backoff: Backoff,
  context: AlertContext,
): Promise<void> {
  try {
    await deliverAlert(context, message.body);
    message.ack();
  } catch (error) {
    const { id: messageId, attempts } = message;
    const { accountId, alertId } = message.body;
    console.error(toLogLine("alert.not-delivered", { messageId, attempts, accountId, alertId }, error));
    message.retry({ delaySeconds: backoff(message.attempts) }, error);
  }
}

/** The services of events. No request gives the files' address. */
function openEvents(bindings: Bindings) {
  return openServices(bindings, { ...NO_REQUEST, origin: bindings.PUBLIC_URL.replace(/\/+$/, "") });
}

/** The services of alerts and mails. */
function openMails(bindings: Bindings & MailerBindings) {
  return { ...openServices(bindings, NO_REQUEST), mailer: openMailer(bindings) };
}

/** The services of questions to the moderation hook. */
function openModeration(bindings: Bindings) {
  const services = openServices(bindings, NO_REQUEST);
  return { ...services, ask: openHook(services) };
}

/** The services of thumbnails, and of the counts of them. */
function openThumbnails(bindings: Bindings) {
  const services = openServices(bindings, NO_REQUEST);
  return { ...services, previewSecret: services.config.previewSecret };
}
