import type { AlertRaised } from "../domain/queue-messages.ts";
import { type AlertContext, deliverAlert } from "../services/alerts/deliver-alert.ts";
import type { Backoff } from "./backoff.ts";

/**
 * Makes the attempt that a message announces. What the receiver says is noted by the account's object, which announces the next
 * attempt; the message itself is retried only where that object, or the directory, was not reached.
 */
export async function handleRaisedAlert(
  message: Message<AlertRaised>,
  backoff: Backoff,
  context: AlertContext,
): Promise<void> {
  try {
    await deliverAlert(context, message.body);
    message.ack();
  } catch (error) {
    console.error("An alert could not be delivered", message.body.accountId, message.attempts, error);
    message.retry({ delaySeconds: backoff(message.attempts) });
  }
}
