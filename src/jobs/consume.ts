import { handleStoredUpload } from "./handle-stored-upload.ts";
import type { FileViewed, QueueMessage, UploadStored } from "./messages.ts";
import { openThumbnailContext } from "./open-thumbnail-context.ts";
import { recordViews } from "./record-views.ts";

/** Where messages end that were retried in vain. */
const DEAD = /-dead$/;

/** Every queue ends here. Each message is acknowledged or retried on its own. */
export async function consume(batch: MessageBatch<QueueMessage>, env: Env): Promise<void> {
  const views: Message<FileViewed>[] = [];
  const stored: Message<UploadStored>[] = [];
  for (const message of batch.messages) sort(message, views, stored);
  const isDead = DEAD.test(batch.queue);
  const context = openThumbnailContext(env);
  await Promise.all([
    recordViews(views, (accountId) => env.ACCOUNT_METER.getByName(accountId)),
    ...stored.map((message) => handleStoredUpload(message, isDead, context)),
  ]);
}

function sort(message: Message<QueueMessage>, views: Message<FileViewed>[], stored: Message<UploadStored>[]): void {
  const { type } = message.body;
  switch (type) {
    case "file.viewed":
      views.push(message as Message<FileViewed>);
      return;
    case "upload.stored":
      stored.push(message as Message<UploadStored>);
      return;
    default:
      // Of a version that is no more: nobody will ever know it.
      console.error("A queue message of an unknown type was dropped", type satisfies never);
      message.ack();
  }
}
