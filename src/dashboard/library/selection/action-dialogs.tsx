import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { MAX_SHARED_IDS } from "../../../domain/share.ts";
import { readPositions } from "../../api/queries/images.ts";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { formatBytes } from "../../design/format.ts";
import { toast } from "../../design/toast.tsx";
import FormatsDialog from "../../file/formats-dialog.tsx";
import { NewShareDialog } from "../../shares/new-share-dialog.tsx";
import { MOST_UNDONE } from "../changes/most-undone.ts";
import type { Patch } from "../changes/patch.ts";
import { FolderPicker } from "../folders/folder-picker.tsx";
import type { Library } from "../use-library.ts";
import { files } from "../words.ts";
import { subtract } from "./intervals.ts";
import { countSelected, NOTHING } from "./selection.ts";
import { TagDialog } from "./tag-dialog.tsx";
import type { ActionDialog, Actions } from "./use-actions.ts";

/** The most ids that the service excludes from a change of all files. */
const MOST_EXCEPTED = 1000;

interface Confirmed {
  readonly client: QueryClient;
  readonly library: Library;
  readonly actions: Actions;
  readonly dialog: ActionDialog;
}

interface ActionDialogsProps {
  readonly library: Library;
  readonly actions: Actions;
}

export default function ActionDialogs({ library, actions }: ActionDialogsProps) {
  const client = useQueryClient();
  const { dialog, closeDialog } = actions;
  if (dialog === undefined) return null;
  const shared = { open: true, onOpenChange: closeDialog };
  const { items, count } = dialog;
  const change = (patch: Patch) => void performConfirmed({ client, library, actions, dialog }, patch);
  const what = files(count);
  const note = count > MOST_UNDONE ? `Changes to more than ${files(MOST_UNDONE)} cannot be undone.` : undefined;
  switch (dialog.kind) {
    case "move":
      return (
        <FolderPicker
          {...shared}
          title={`Move ${what}`}
          description={note}
          folders={library.folders ?? []}
          onPick={(folderId) => change({ folderId })}
        />
      );
    case "tag":
      return (
        <TagDialog {...shared} items={items} count={count} description={note} onPatch={(patch) => change(patch)} />
      );
    case "share":
      return items.length === 0 || items.length > MAX_SHARED_IDS ? (
        <Dialog
          {...shared}
          title={`A share has at most ${files(MAX_SHARED_IDS)}`}
          description="A shared folder can have any number. Move the files into one, and share it."
        />
      ) : (
        <NewShareDialog {...shared} what={what} files={{ ids: items.map(({ _id }) => _id) }} />
      );
    case "formats":
      return <FormatsDialog files={items.map((item) => ({ ...item, name: item.prompt }))} onClose={closeDialog} />;
    case "delete": {
      const isTrash = library.filters.status === "trash";
      const bytes = items.reduce((sum, { fileSize }) => sum + fileSize, 0);
      return (
        <ConfirmDialog
          {...shared}
          title={`Delete ${what} permanently?`}
          action={`Delete ${what}`}
          onConfirm={() => change({ status: "deleted", onlyFrom: isTrash ? "trash" : undefined })}
        >
          This frees {formatBytes(bytes)}. {items.length === 1 ? "The link stops" : "The links stop"} working at once.
          This cannot be undone.
        </ConfirmDialog>
      );
    }
    case "many":
      return (
        <ConfirmDialog
          {...shared}
          title={`Change ${what}?`}
          action={`Change ${what}`}
          tone="main"
          onConfirm={() => change(dialog.patch ?? {})}
        >
          {note}
        </ConfirmDialog>
      );
  }
}

/** Performs a dialog's action on its files, also if these are more than can be undone. */
async function performConfirmed(confirmed: Confirmed, patch: Patch): Promise<void> {
  try {
    await (confirmed.dialog.items.length > 0
      ? confirmed.actions.perform(confirmed.dialog.items, patch)
      : performOnMany(confirmed, patch));
  } catch (error) {
    toast({ tone: "danger", title: "The files could not be changed", description: (error as Error).message });
  }
}

async function performOnMany({ client, library, actions, dialog }: Confirmed, patch: Patch): Promise<void> {
  const { pages, selection, total = 0, changes } = library;
  // The selection consists of positions. Other files may have come to them while the dialog was open.
  if (countSelected(selection) !== dialog.count) throw new Error("Files were added or removed. Select them again.");
  const others = subtract([{ start: 0, end: total }], selection.intervals);
  if (others.reduce((sum, { start, end }) => sum + end - start, 0) > MOST_EXCEPTED)
    return actions.perform(await actions.collect(), patch);
  const except: string[] = [];
  for await (const { _id } of readPositions(client, pages.filter, others)) except.push(_id);
  library.select(NOTHING);
  return changes.performAll(dialog.count, except, patch, actions.onStep);
}
