import { toLogLine } from "../domain/log-line.ts";
import type { EventsDue } from "../domain/queue-messages.ts";
import { deliverEvents, type EventsContext } from "../services/webhooks/deliver-events.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/**
 * Sends the events that a message announces. The account's object records the receiver's answers and announces the next run. The message
 * itself is retried only if that object was not reached.
 */
export async function handleDueEvents(
  message: HandledMessage<EventsDue>,
  backoff: Backoff,
  context: EventsContext,
): Promise<void> {
  try {
    await deliverEvents(context, message.body);
    message.ack();
  } catch (error) {
    const { id: messageId, attempts } = message;
    const { accountId } = message.body;
    console.error(toLogLine("events.not-sent", { messageId, attempts, accountId }, error));
    message.retry({ delaySeconds: backoff(attempts) }, error);
  }
}
