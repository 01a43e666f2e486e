import { parseObjectKey } from "../domain/object-key.ts";
import type { FileViewed } from "../domain/queue-messages.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { Backoff } from "./backoff.ts";

type ViewMessage = Message<FileViewed>;
type Meter = Pick<DurableObjectStub<AccountMeter>, "recordViews">;

/**
 * Adds a batch of views to their accounts, one call each. An account that cannot be reached has its messages retried,
 * later each time; the others' are acknowledged. A view has an id and a time of its own, and a dead-letter queue keeps both, so that a
 * second message or delivery of it counts nothing.
 */
export async function recordViews(
  messages: readonly ViewMessage[],
  backoff: Backoff,
  meterOf: (accountId: string) => Meter,
): Promise<void> {
  const byAccount = Map.groupBy(messages, (message) => message.body.accountId);
  await Promise.all(
    [...byAccount].map(async ([accountId, views]) => {
      try {
        await meterOf(accountId).recordViews(
          views.map(({ id, body }) => ({ id: body.viewId ?? id, at: body.viewedAt, resourceId: viewedUpload(body) })),
        );
        for (const view of views) view.ack();
      } catch (error) {
        console.error("Views could not be recorded", accountId, error);
        for (const view of views) view.retry({ delaySeconds: backoff(view.attempts) });
      }
    }),
  );
}

/** A view of a file or of its thumbnail is logged, like any operation, with the upload that it is of. */
function viewedUpload({ objectKey }: FileViewed): string {
  return parseObjectKey(objectKey)?.uploadId ?? objectKey;
}
