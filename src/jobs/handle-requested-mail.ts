import { DAY_MS } from "../domain/calendar.ts";
import { toLogLine } from "../domain/log-line.ts";
import type { MailRequested, ProofRequested } from "../domain/queue-messages.ts";
import { deliverMail, type MailContext } from "../services/mail/deliver-mail.ts";
import { deliverProof } from "../services/mail/deliver-proof.ts";
import { MailError } from "../services/mail/mail.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/** The age at which the receiver no longer expects a link. */
const STALE_MS = DAY_MS;

/** Sends the mail that a message asks for. A mail that can never be sent is dropped; other failures are retried. */
export async function handleRequestedMail(
  message: HandledMessage<MailRequested | ProofRequested>,
  backoff: Backoff,
  context: MailContext,
): Promise<void> {
  const { id: messageId, attempts, body, timestamp } = message;
  try {
    if (body.type === "mail.requested") await deliverMail(context, body, messageId);
    else if (context.now() - timestamp.getTime() < STALE_MS) await deliverProof(context, body);
    message.ack();
  } catch (error) {
    console.error(toLogLine("mail.not-sent", { messageId, attempts, type: body.type }, error));
    if (error instanceof MailError && error.isPermanent) message.ack();
    else message.retry({ delaySeconds: backoff(attempts) }, error);
  }
}
