import type { FileViewed } from "../domain/queue-messages.ts";
import type { RequestedFile } from "./object-path.ts";

const MAX_TRIES = 3;
const PAUSE_MS = 100;

/**
 * Announces a view: a GET that is answered with the file or with a range that includes its first byte, and is neither a signed
 * preview nor a player's probe. The viewer does not wait for it, and a queue that goes on failing costs the count, never the answer.
 */
export function recordView(
  views: Queue<FileViewed>,
  ctx: Pick<ExecutionContext, "waitUntil">,
  { accountId, objectKey }: RequestedFile,
): void {
  const view = { viewId: crypto.randomUUID(), accountId, objectKey, viewedAt: Date.now() };
  ctx.waitUntil(send(views, { type: "file.viewed", ...view }));
}

async function send(views: Queue<FileViewed>, view: FileViewed): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await views.send(view);
      return;
    } catch (error) {
      // It may have been sent all the same: its id says that it is the same view.
      if (tries === MAX_TRIES) return console.error("A view could not be recorded", view.accountId, error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries * (1 + Math.random())));
    }
  }
}
