import { failThumbnail } from "../services/thumbnails/fail-thumbnail.ts";
import { makeThumbnail, type ThumbnailContext } from "../services/thumbnails/make-thumbnail.ts";
import { backoffSeconds } from "./backoff.ts";
import type { UploadStored } from "./messages.ts";

/**
 * Makes the thumbnail of a stored video. What may work later is retried, later each time; what was retried in vain comes
 * back from the dead-letter queue, and is recorded as a failure.
 */
export async function handleStoredUpload(
  message: Message<UploadStored>,
  isDead: boolean,
  context: ThumbnailContext,
): Promise<void> {
  try {
    if (isDead) await failThumbnail(context, message.body, "Every attempt failed");
    else await makeThumbnail(context, message.body);
    message.ack();
  } catch (error) {
    console.error("A thumbnail could not be made", message.body.uploadId, message.attempts, error);
    message.retry({ delaySeconds: backoffSeconds(message.attempts) });
  }
}
