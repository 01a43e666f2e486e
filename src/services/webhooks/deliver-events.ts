import { toLogLine } from "../../domain/log-line.ts";
import type { EventsDue } from "../../domain/queue-messages.ts";
import { type BegunRun, type DeliveryResult, type StoredEvent, subjectOf } from "../../meter/events/event.ts";
import { isAway } from "../../meter/events/move-aside.ts";
import type { Services } from "../context.ts";
import { toEventMessage } from "../events/event-message.ts";
import { postWebhook, webhookSecrets } from "./post-webhook.ts";

export type EventsContext = Pick<Services, "meterOf" | "config" | "now">;

/** Messages that one run sends at a time, each of another upload. The platform allows six connections that wait for an answer. */
const AT_ONCE = 5;
/** No try begins after this time, so that a slow receiver does not hold the consumer. */
const RUN_MS = 15_000;

/**
 * Sends a run of events to a webhook, and more while there are any and time is left. The account's object decides before and after it, so a
 * message that arrives twice sends nothing twice.
 * @throws errors of the object before the first try; nothing was sent then
 */
export async function deliverEvents(context: EventsContext, message: EventsDue): Promise<void> {
  const { accountId, webhook, run } = message;
  const meter = context.meterOf(accountId);
  const due = { webhook, run };
  const startedAt = context.now();
  let begun: BegunRun | undefined = await meter.beginRun(due);
  try {
    while (begun !== undefined) {
      const results = await sendRun(context, accountId, begun, startedAt + RUN_MS);
      const elapsedMs = context.now() - startedAt;
      const end = { webhookId: begun.webhookId, results, elapsedMs, goesOn: elapsedMs < RUN_MS };
      begun = await meter.endRun(due, end);
    }
  } catch (error) {
    // The object treats the run as lost, and sends its events again.
    console.error(toLogLine("events.not-noted", { accountId }, error));
  }
}

/** Sends the events. One upload's events go in order, and stop at the first failure. The run ends if the receiver is away. */
async function sendRun(
  context: EventsContext,
  accountId: string,
  { webhookId, url, filesUrl, events }: BegunRun,
  endsAt: number,
): Promise<DeliveryResult[]> {
  const { config, now } = context;
  const receiver = { url, secrets: webhookSecrets(config.webhooks.secret, accountId, webhookId) };
  const owner = { accountId, cdnUrl: config.cdnUrl || filesUrl };
  const results: DeliveryResult[] = [];
  let isOver = false;
  const send = async (event: StoredEvent): Promise<boolean> => {
    const at = now();
    const body = JSON.stringify(toEventMessage(event, owner));
    const outcome = await postWebhook(config.webhooks, receiver, { id: event.id, body }, at);
    results.push({ place: event.place, at, durationMs: now() - at, ...outcome });
    isOver ||= isAway(outcome) || outcome.error === "gone";
    return outcome.error === null;
  };
  const subjects = Map.groupBy(events, subjectOf).values();
  const work = async () => {
    for (const ofSubject of subjects) {
      for (const event of ofSubject) {
        if (isOver || now() >= endsAt) return;
        if (!(await send(event))) break;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
