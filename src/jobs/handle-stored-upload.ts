import { ThumbnailTimeout } from "../processor/thumbnail-timeout.ts";
import { failThumbnail } from "../services/thumbnails/fail-thumbnail.ts";
import { makeThumbnail, type ThumbnailContext } from "../services/thumbnails/make-thumbnail.ts";
import { backoffSeconds } from "./backoff.ts";
import type { UploadStored } from "./messages.ts";

/** An attempt that ran out of time is made again this much later: five attempts in two hours, which most busy times do not last. */
const TIMEOUT_RETRY_SECONDS = 30 * 60;
const TIMEOUT_PATIENCE_MS = 2 * 60 * 60_000;

/**
 * Makes the thumbnail of a stored video. What may work later is retried, later each time; what was retried in vain comes
 * back from the dead-letter queue, and is recorded as a failure. So is an attempt that runs out of time hours after the upload.
 */
export async function handleStoredUpload(
  message: Message<UploadStored>,
  isDead: boolean,
  context: ThumbnailContext,
): Promise<void> {
  try {
    if (isDead) await failThumbnail(context, message.body, "Every attempt failed");
    else await makeInTime(message, context);
    message.ack();
  } catch (error) {
    console.error("A thumbnail could not be made", message.body.uploadId, message.attempts, error);
    const isTimeout = error instanceof ThumbnailTimeout;
    message.retry({ delaySeconds: isTimeout ? TIMEOUT_RETRY_SECONDS : backoffSeconds(message.attempts) });
  }
}

/** @throws Error where it may work later */
async function makeInTime({ body, timestamp }: Message<UploadStored>, context: ThumbnailContext): Promise<void> {
  try {
    await makeThumbnail(context, body);
  } catch (error) {
    // By age, as the count of attempts would say nothing after an outage.
    const isLate = context.now() - timestamp.getTime() >= TIMEOUT_PATIENCE_MS;
    if (!(error instanceof ThumbnailTimeout && isLate)) throw error;
    await failThumbnail(context, body, error.message);
  }
}
