import { useRef } from "react";
import type { Folder } from "../../../client/index.ts";
import { useFolderChanges } from "../../api/queries/folders.ts";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { formatPlural } from "../../design/format.ts";
import { NewShareDialog } from "../../shares/new-share-dialog.tsx";
import { deletionOf, whyNotInto } from "./folder-nodes.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { changeFolder } from "./move-folder.ts";
import { NameDialog } from "./name-dialog.tsx";
import { openFolders } from "./open-folders.ts";

export type FolderDialog =
  | { readonly kind: "create"; readonly parentId: string | null }
  | { readonly kind: "rename" | "move" | "share" | "delete"; readonly id: string };

interface FolderDialogsProps {
  readonly dialog: FolderDialog;
  readonly folders: readonly Folder[];
  readonly onClose: () => void;
}

export default function FolderDialogs({ dialog, folders: current, onClose }: FolderDialogsProps) {
  const changes = useFolderChanges();
  const folders = useKnown(current, dialog.kind === "create" ? dialog.parentId : dialog.id);
  const folder = dialog.kind === "create" ? undefined : folders.find(({ _id }) => _id === dialog.id);
  const shared = { open: true, onOpenChange: onClose };

  if (dialog.kind === "create") {
    const parent = folders.find(({ _id }) => _id === dialog.parentId);
    return (
      <NameDialog
        {...shared}
        title={parent === undefined ? "New folder" : `New folder in ${parent.name}`}
        action="Create"
        onName={async (name) => {
          await changes.create.mutateAsync({ name, parentId: dialog.parentId });
          if (dialog.parentId !== null) openFolders.add([dialog.parentId]);
        }}
      />
    );
  }
  if (folder === undefined) return null;
  if (dialog.kind === "rename") {
    return (
      <NameDialog
        {...shared}
        title={`Rename ${folder.name}`}
        action="Rename"
        name={folder.name}
        onName={(name) => changeFolder(folder, { name }, changes.update.mutateAsync)}
      />
    );
  }
  if (dialog.kind === "move") {
    return (
      <FolderPicker
        {...shared}
        title={`Move ${folder.name}`}
        folders={folders}
        whyNot={(parentId) => whyNotInto(folders, folder._id, parentId)}
        onPick={(parentId) => changeFolder(folder, { parentId }, changes.update.mutateAsync)}
      />
    );
  }
  if (dialog.kind === "share")
    return <NewShareDialog {...shared} what={folder.name} files={{ folderId: folder._id }} />;
  const gone = deletionOf(folders, folder._id);
  return (
    <ConfirmDialog
      {...shared}
      title={`Delete ${folder.name}?`}
      action="Delete"
      onConfirm={() => changes.remove.mutateAsync(folder._id)}
    >
      {formatPlural(gone.folders, "folder is deleted", "folders are deleted")},{" "}
      {formatPlural(gone.files, "file moves", "files move")} to Root. Links keep working. This cannot be undone.
    </ConfirmDialog>
  );
}

/** The folders when this folder was last one of them. The dialog of a folder that another tab deletes stays, and its action reports the loss. */
function useKnown(folders: readonly Folder[], id: string | null): readonly Folder[] {
  const known = useRef(folders);
  if (id === null || folders.some(({ _id }) => _id === id)) known.current = folders;
  return known.current;
}
