import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { formatBytes } from "../design/format.ts";
import { MOST_UNDONE } from "./change.ts";
import { FolderPicker } from "./folders/folder-picker.tsx";
import { FormatsDialog } from "./formats-dialog.tsx";
import { TagDialog } from "./tag-dialog.tsx";
import type { Actions } from "./use-actions.ts";
import type { Library } from "./use-library.ts";
import { files } from "./words.ts";

interface AskingDialogsProps {
  readonly library: Library;
  readonly actions: Actions;
}

/** The window that is open about files. */
export default function AskingDialogs({ library, actions }: AskingDialogsProps) {
  const { asking, closeAsking, performAsked } = actions;
  if (asking === undefined) return null;
  const shared = { open: true, onOpenChange: closeAsking };
  const { items, count } = asking;
  const what = files(count);
  const note = count > MOST_UNDONE ? `Of more than ${files(MOST_UNDONE)} at once there is no undo.` : undefined;
  switch (asking.kind) {
    case "move":
      return (
        <FolderPicker
          {...shared}
          title={`Move ${what}`}
          description={note}
          folders={library.folders ?? []}
          onPick={(folderId) => performAsked(asking, { folderId })}
        />
      );
    case "tag":
      return (
        <TagDialog
          {...shared}
          {...{ items, count }}
          description={note}
          onPatch={(patch) => performAsked(asking, patch)}
        />
      );
    case "formats":
      return <FormatsDialog {...shared} items={items} />;
    case "delete": {
      const bytes = items.reduce((sum, { fileSize }) => sum + fileSize, 0);
      return (
        <ConfirmDialog
          {...shared}
          title={`Delete ${what} for good?`}
          action={`Delete ${what}`}
          onConfirm={() => performAsked(asking, { status: "deleted" })}
        >
          {formatBytes(bytes)} are freed. {items.length === 1 ? "Its link stops" : "Their links stop"} working at once.
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
          onConfirm={() => performAsked(asking, asking.patch ?? {})}
        >
          {note}
        </ConfirmDialog>
      );
  }
}
