import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { makeFolders } from "./make-folders.ts";
import { type Dropped, keyOf } from "./read-drop.ts";
import { uploads } from "./uploads-store.ts";

interface DroppedFoldersDialogProps {
  readonly dropped: Dropped;
  readonly folderId: string | null;
  readonly onClose: () => void;
}

/** Asks before it creates the folders of a drop. */
export default function DroppedFoldersDialog({ dropped, folderId, onClose }: DroppedFoldersDialogProps) {
  const { files, folders } = dropped;
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const makeAndUpload = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const ids = await makeFolders(api.folders, folders, folderId);
      await queries.invalidateQueries({ queryKey: ["folders"] });
      for (const { file, path } of files) uploads.add([file], { folderId: ids.get(keyOf(path)) ?? folderId });
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const uploadFlat = () => {
    uploads.add(
      files.map(({ file }) => file),
      { folderId },
    );
    onClose();
  };
  const counts = `${formatPlural(folders.length, "folder")}, ${formatPlural(files.length, "file")}`;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Upload ${counts}?`}
      description="Folders are created as on your disk; existing ones are reused."
      footer={
        <>
          <Button onClick={uploadFlat}>Files only</Button>
          <Button tone="main" busy={busy} onClick={makeAndUpload}>
            Create folders and upload
          </Button>
        </>
      }
    >
      {error !== undefined && <Problem error={error} title="The folders could not be created" />}
    </Dialog>
  );
}
