import type { FileViewed } from "../jobs/messages.ts";
import type { RequestedFile } from "./object-path.ts";

/**
 * Tells of a view: a GET that is answered with the file or with a range that has its first byte, and is no signed
 * preview. The viewer waits for none of it, and a queue that fails costs the count, never the answer.
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
