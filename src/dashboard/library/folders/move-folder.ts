import type { Folder } from "../../../client/index.ts";
import { describeError } from "../../design/describe-error.ts";
import { toast } from "../../design/toast.tsx";
import { beginUndoable } from "../changes/offer-undo.ts";

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
  const undo = () => update({ id, change: back }).then(undefined, (error) => say("This could not be undone", error));
  beginUndoable(title, undo).offer();
}

/** Moves a folder that was dropped; a toast reports an error. */
export async function moveFolder(folders: readonly Folder[], id: string, parentId: string | null, update: Update) {
  const folder = folders.find(({ _id }) => _id === id);
  if (folder === undefined) return;
  await changeFolder(folder, { parentId }, update).catch((error) => say(`${folder.name} could not be moved`, error));
}

function say(title: string, error: unknown): void {
  toast({ tone: "danger", title, description: describeError(error).message });
}
