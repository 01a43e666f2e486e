import { useQueryClient } from "@tanstack/react-query";
import MapPinOff from "lucide-react/icons/map-pin-off";
import { useState } from "react";
import { api } from "../api/client.ts";
import { FILE_HISTORY } from "../api/queries/file-history.ts";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { isolate } from "../design/format.ts";
import { toast } from "../design/toast.tsx";
import type { FileFacts } from "./file-facts.ts";
import styles from "./file-panel.module.css";
import { toMapUrl, toPlaceText } from "./place-text.ts";

interface PlaceProps {
  readonly file: FileFacts;
  readonly location: NonNullable<FileFacts["location"]>;
  /** Called when the file has new bytes. */
  readonly onReplaced: (() => void) | undefined;
}

/** The place in the stored file, with its removal. */
export function Place({ file, location, onReplaced }: PlaceProps) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    queries.setQueryData<FileFacts>(["image", file._id], await api.removeLocation(file._id));
    toast({ title: `${isolate(file.prompt)} has no place any more` });
    for (const key of ["images", "overview", FILE_HISTORY]) void queries.invalidateQueries({ queryKey: [key] });
    onReplaced?.();
  };
  return (
    <span className={styles.place}>
      <a
        className={styles.folder}
        href={toMapUrl(location)}
        target="_blank"
        rel="noreferrer"
        title="Open in OpenStreetMap"
      >
        {toPlaceText(location)}
      </a>
      {file.status === "active" && file.takedown === undefined && (
        <Button size="small" icon={MapPinOff} onClick={() => setAsking(true)}>
          Remove place
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Remove the place from ${file.prompt}?`}
        action="Remove place"
        onConfirm={remove}
      >
        The place, serial numbers and maker notes are removed from the stored file. Its pixels stay. The file gets a new
        link, and earlier links lead to it. The place cannot be brought back.
      </ConfirmDialog>
    </span>
  );
}
