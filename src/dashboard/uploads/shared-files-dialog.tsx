import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { folderOptions } from "../api/folder-path.ts";
import { foldersQuery } from "../api/queries/folders.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatBytes, formatPlural, isolate } from "../design/format.ts";
import { Select } from "../design/select.tsx";
import { forgetShared, readShared } from "./share-target.ts";
import styles from "./shared-files-dialog.module.css";
import { uploads } from "./uploads-store.ts";

interface SharedFilesDialogProps {
  readonly onClose: () => void;
}

/**
 * Asks before it uploads files that another app has shared. Another site can send such files too, so nothing is uploaded without the user's
 * answer.
 */
export default function SharedFilesDialog({ onClose }: SharedFilesDialogProps) {
  const { data: files, error } = useQuery({ queryKey: ["shared-files"], queryFn: readShared, gcTime: 0 });
  const { data: folders } = useQuery(foldersQuery);
  const [folderId, setFolder] = useState("");
  const options = useMemo(() => folderOptions(folders ?? [], "Root"), [folders]);
  const close = () => {
    void forgetShared().catch(() => undefined);
    onClose();
  };
  if (files === undefined && error === null) return null;
  if (files === undefined || files.length === 0)
    return (
      <Dialog
        open
        onOpenChange={close}
        title="No shared files"
        description="The shared files did not arrive. The device may have no room for a copy of them. Share them again, or choose them with Upload."
        footer={
          <Button tone="main" onClick={close}>
            Close
          </Button>
        }
      />
    );
  const upload = () => {
    uploads.add(files, { folderId: folderId === "" ? null : folderId });
    close();
  };
  return (
    <Dialog
      open
      onOpenChange={close}
      title={`Upload ${formatPlural(files.length, "shared file")}?`}
      footer={
        <>
          <Button onClick={close}>Discard</Button>
          <Button tone="main" onClick={upload}>
            Upload
          </Button>
        </>
      }
    >
      <ul className={styles.files} aria-label="Shared files">
        {files.map((file, index) => (
          <li key={index}>
            <span className={styles.name}>{isolate(file.name)}</span>
            <span className={styles.size}>{formatBytes(file.size)}</span>
          </li>
        ))}
      </ul>
      <Select label="Folder" name="folder" options={options} value={folderId} onChange={setFolder} />
    </Dialog>
  );
}
