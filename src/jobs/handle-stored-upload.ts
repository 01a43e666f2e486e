import { toLogLine } from "../domain/log-line.ts";
import type { UploadStored } from "../domain/queue-messages.ts";
import { ThumbnailTimeout } from "../processor/thumbnail-timeout.ts";
import { countThumbnail } from "../services/metrics/count-thumbnail.ts";
import { failThumbnail } from "../services/thumbnails/fail-thumbnail.ts";
import { makeThumbnail, type ThumbnailContext } from "../services/thumbnails/make-thumbnail.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/** An attempt that ran out of time is made again this much later: five attempts in two hours, which most busy times do not last. */
const TIMEOUT_RETRY_SECONDS = 30 * 60;
const TIMEOUT_PATIENCE_MS = 2 * 60 * 60_000;

/**
 * Makes the thumbnail of a stored video. What may work later is retried, later each time. Only what the processor says of the video
 * itself is recorded as a failure: that there is no thumbnail to be had, or, hours after the upload, that its time was up once more.
 * Whatever else went wrong, however long, leaves the video without a thumbnail and without a verdict: the dead-letter queue tries it for
 * days, and the operator can have it made again (services/thumbnails/retry-thumbnails.ts).
 */
export async function handleStoredUpload(
  message: HandledMessage<UploadStored>,
  backoff: Backoff,
  context: ThumbnailContext,
): Promise<void> {
  try {
    await makeInTime(message, context);
    message.ack();
  } catch (error) {
    const { id: messageId, attempts } = message;
    const { accountId, uploadId } = message.body;
    console.error(toLogLine("thumbnail.not-made", { messageId, attempts, accountId, uploadId }, error));
    const isTimeout = error instanceof ThumbnailTimeout;
    countThumbnail(isTimeout ? "timed-out" : "failed");
    message.retry({ delaySeconds: isTimeout ? TIMEOUT_RETRY_SECONDS : backoff(message.attempts) }, error);
  }
}

/** @throws Error where it may work later */
async function makeInTime({ body, timestamp }: HandledMessage<UploadStored>, context: ThumbnailContext): Promise<void> {
  try {
    await makeThumbnail(context, body);
  } catch (error) {
    // By age, because the count of attempts would say nothing after an outage.
    const isLate = context.now() - timestamp.getTime() >= TIMEOUT_PATIENCE_MS;
    if (!(error instanceof ThumbnailTimeout && isLate)) throw error;
    countThumbnail("given-up");
    await failThumbnail(context, body, error.message);
  }
}
