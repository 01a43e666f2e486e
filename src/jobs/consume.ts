import { handleStoredUpload } from "./handle-stored-upload.ts";
import type { FileViewed, UploadStored } from "./messages.ts";
import { openThumbnailContext } from "./open-thumbnail-context.ts";
import { parseMessage } from "./parse-message.ts";
import { recordViews } from "./record-views.ts";

/** Where messages end that were retried in vain. */
const DEAD = /-dead$/;

interface Sorted {
  readonly views: Message<FileViewed>[];
  readonly stored: Message<UploadStored>[];
}

/** Every queue ends here. Each message is acknowledged or retried on its own. */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const { views, stored } = sort(batch.messages);
  const isDead = DEAD.test(batch.queue);
  const context = openThumbnailContext(env);
  await Promise.all([
    recordViews(views, (accountId) => env.ACCOUNT_METER.getByName(accountId)),
    ...stored.map((message) => handleStoredUpload(message, isDead, context)),
  ]);
}

function sort(messages: readonly Message[]): Sorted {
  const sorted: Sorted = { views: [], stored: [] };
  for (const message of messages) {
    const kind = parseMessage(message.body)?.type;
    switch (kind) {
      case "file.viewed":
        sorted.views.push(message as Message<FileViewed>);
        break;
      case "upload.stored":
        sorted.stored.push(message as Message<UploadStored>);
        break;
      case undefined:
        // Of a version that is no more, or of nobody: no other delivery will make it known.
        console.error("A queue message that is not known was dropped", message.id);
        message.ack();
        break;
      default:
        kind satisfies never;
    }
  }
  return sorted;
}
