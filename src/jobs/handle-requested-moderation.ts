import { toLogLine } from "../domain/log-line.ts";
import type { ModerationRequested } from "../domain/queue-messages.ts";
import { type ModerationContext, moderateUpload } from "../services/moderation/moderate-upload.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/** Calls the moderation hook about an upload, and carries out its answer. Every failure is retried with growing delays (OPER-9). */
export async function handleRequestedModeration(
  message: HandledMessage<ModerationRequested>,
  backoff: Backoff,
  context: ModerationContext,
): Promise<void> {
  try {
    await moderateUpload(context, message.body);
    message.ack();
  } catch (error) {
    const { id: messageId, attempts } = message;
    const { accountId, uploadId } = message.body;
    console.error(toLogLine("upload.not-moderated", { messageId, attempts, accountId, uploadId }, error));
    message.retry({ delaySeconds: backoff(attempts) }, error);
  }
}
