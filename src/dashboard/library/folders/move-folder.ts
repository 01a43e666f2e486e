import type { Folder } from "../../../client/index.ts";
import { describeError } from "../../design/describe-error.ts";
import { toast } from "../../design/toast.tsx";
import { undoStack } from "../undo-stack.ts";

type Change = { readonly name: string } | { readonly parentId: string | null };
type Update = (asked: { id: string; change: Change }) => Promise<unknown>;

/**
 * Renames or moves a folder; a toast and Ctrl-Z undo it.
 * @throws MediaHostError
 */
export async function changeFolder(folder: Folder, change: Change, update: Update): Promise<void> {
  const { _id: id, name, parentId } = folder;
  await update({ id, change });
  const back = "name" in change ? { name } : { parentId };
  const title = "name" in change ? `${name} renamed to ${change.name}` : `${name} moved`;
  const step = {
    title,
    run: () => update({ id, change: back }).then(undefined, (error) => say("This could not be undone", error)),
  };
  undoStack.push(step);
  toast({ title, action: { title: "Undo", run: () => void undoStack.take(step)?.run() } });
}

/** The same for a folder that was dropped: where it fails, a toast says why. */
export async function moveFolder(folders: readonly Folder[], id: string, parentId: string | null, update: Update) {
  const folder = folders.find(({ _id }) => _id === id);
  if (folder === undefined) return;
  await changeFolder(folder, { parentId }, update).catch((error) => say(`${folder.name} could not be moved`, error));
}

function say(title: string, error: unknown): void {
  toast({ tone: "danger", title, description: describeError(error).message });
}
