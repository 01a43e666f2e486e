import { toLogLine } from "../domain/log-line.ts";
import { isVideo } from "../domain/media-types.ts";
import type { UploadStored } from "../domain/queue-messages.ts";
import { ThumbnailTimeout } from "../processor/thumbnail-answer.ts";
import { countThumbnail } from "../services/metrics/counts.ts";
import { makePlaceholder } from "../services/placeholders/make-placeholder.ts";
import { failThumbnail } from "../services/thumbnails/fail-thumbnail.ts";
import { makeThumbnail, type ThumbnailContext } from "../services/thumbnails/make-thumbnail.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/** Delay after an attempt that timed out: five attempts in two hours, which outlast most busy times. */
const TIMEOUT_RETRY_SECONDS = 30 * 60;
const TIMEOUT_PATIENCE_MS = 2 * 60 * 60_000;

/**
 * Makes the thumbnail of a stored video and retries transient failures with growing delays (THUMB-3). Only the
 * processor's verdict on the video itself is recorded as a failure: no thumbnail is possible, or it timed out again two
 * hours after the upload. After any other failure the video stays without a thumbnail and without a verdict: the
 * dead-letter queue retries for days, and the operator can have it made again
 * (services/thumbnails/retry-thumbnails.ts).
 */
export async function handleStoredUpload(
  message: HandledMessage<UploadStored>,
  backoff: Backoff,
  context: ThumbnailContext,
): Promise<void> {
  if (!isVideo(message.body.mimeType)) return handleStoredImage(message, backoff, context);
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

/** Makes the placeholder of a stored image. */
async function handleStoredImage(
  message: HandledMessage<UploadStored>,
  backoff: Backoff,
  context: ThumbnailContext,
): Promise<void> {
  try {
    await makePlaceholder(context, message.body);
    message.ack();
  } catch (error) {
    const { id: messageId, attempts } = message;
    const { accountId, uploadId } = message.body;
    console.error(toLogLine("placeholder.not-made", { messageId, attempts, accountId, uploadId }, error));
    message.retry({ delaySeconds: backoff(message.attempts) }, error);
  }
}

/** @throws Error if a retry may succeed */
async function makeInTime({ body, timestamp }: HandledMessage<UploadStored>, context: ThumbnailContext): Promise<void> {
  try {
    await makeThumbnail(context, body);
  } catch (error) {
    // The message's age decides, because an outage also uses up attempts.
    const isLate = context.now() - timestamp.getTime() >= TIMEOUT_PATIENCE_MS;
    if (!(error instanceof ThumbnailTimeout && isLate)) throw error;
    countThumbnail("given-up");
    await failThumbnail(context, body, error.message);
  }
}
