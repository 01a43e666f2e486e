import type { FileViewed } from "./messages.ts";
import { recordViews } from "./record-views.ts";

/** The views queue ends here. */
export async function consume(batch: MessageBatch<FileViewed>, env: Env): Promise<void> {
  await recordViews(batch.messages, (accountId) => env.ACCOUNT_METER.getByName(accountId));
}
