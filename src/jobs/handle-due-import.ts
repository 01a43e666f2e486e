import { toLogLine } from "../domain/log-line.ts";
import type { ImportDue } from "../domain/queue-messages.ts";
import type { Services } from "../services/context.ts";
import { runImports } from "../services/imports/run-imports.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/** Fetches items of an account's imports. The message is retried only if the account's object or the queue was not reached. */
export async function handleDueImport(
  message: HandledMessage<ImportDue>,
  backoff: Backoff,
  services: Services,
): Promise<void> {
  const { id: messageId, attempts, body } = message;
  try {
    await runImports(services, body.accountId);
    message.ack();
  } catch (error) {
    console.error(toLogLine("imports.not-run", { messageId, attempts, accountId: body.accountId }, error));
    message.retry({ delaySeconds: backoff(attempts) }, error);
  }
}
