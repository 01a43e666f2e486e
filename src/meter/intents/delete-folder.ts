import { folderExists } from "../../db/library/folders.ts";
import type { Actor } from "../../domain/principal.ts";
import type { MeterContext } from "../account/context.ts";
import { type DeleteFolderIntent, intentId } from "./intent.ts";
import type { FolderDeletion } from "./outcomes.ts";

const MAX_NOTED_DELETIONS = 100;

/**
 * Deletes a folder, or a part of it, in a bounded number of steps. The alarm continues if no request does. Of several requests at once the
 * first begins the deletion, and the others wait for it.
 * @param request the request's own id, the same in each of its calls
 * @param by undefined in calls of earlier versions
 */
export async function deleteFolder(
  { tables, runner, folderDeletions, load }: MeterContext,
  folderId: string,
  request: string,
  by?: Actor,
): Promise<FolderDeletion> {
  if (!(await load()) || tables.erasing) return "gone";
  const intent: DeleteFolderIntent = { kind: "delete-folder", folderId, request, ...(by && { by }) };
  const announced = await runner.announceOnce(intent, ({ library, accountId }) =>
    folderExists(library, accountId, folderId),
  );
  // A repeated call whose first answer was lost.
  if (announced === undefined) return folderDeletions.get(folderId) === request ? "deleted" : "gone";
  const id = intentId(intent);
  await runner.goOn(id);
  const isGone = tables.intents.find(id) === undefined;
  if (announced.request !== request) return isGone ? "gone" : "waiting";
  if (isGone) noteDeletion(folderDeletions, folderId, request);
  return isGone ? "deleted" : "begun";
}

function noteDeletion(deletions: Map<string, string>, folderId: string, request: string): void {
  const [oldest] = deletions.keys();
  if (oldest !== undefined && deletions.size >= MAX_NOTED_DELETIONS) deletions.delete(oldest);
  deletions.set(folderId, request);
}
