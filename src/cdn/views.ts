import type { FileViewed } from "../domain/queue-messages.ts";
import type { RequestedFile } from "./object-path.ts";

/**
 * Announces a view: a GET that is answered with the file or with a range that includes its first byte, and is neither a signed
 * preview nor a player's probe. The viewer does not wait for it, and a queue that fails costs the count, never the answer.
 */
export function recordView(
  views: Queue<FileViewed>,
  ctx: Pick<ExecutionContext, "waitUntil">,
  { accountId, objectKey }: RequestedFile,
): void {
  ctx.waitUntil(send(views, { type: "file.viewed", accountId, objectKey, viewedAt: Date.now() }));
}

async function send(views: Queue<FileViewed>, view: FileViewed): Promise<void> {
  try {
    await views.send(view);
  } catch (error) {
    console.error("A view could not be recorded", view.accountId, error);
  }
}
