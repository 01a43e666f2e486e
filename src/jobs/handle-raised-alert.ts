import { toLogLine } from "../domain/log-line.ts";
import type { AlertRaised } from "../domain/queue-messages.ts";
import { type AlertContext, deliverAlert } from "../services/alerts/deliver-alert.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/**
 * Makes the attempt that a message announces. What the receiver says is noted by the account's object, which announces the next
 * attempt; the message itself is retried only where that object, or the directory, was not reached.
 */
export async function handleRaisedAlert(
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
