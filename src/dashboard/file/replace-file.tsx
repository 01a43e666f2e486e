import { useQueryClient } from "@tanstack/react-query";
import ImageUp from "lucide-react/icons/image-up";
import { useEffect, useRef, useState } from "react";
import { sendAgain } from "../../client/send-again.ts";
import { connection } from "../api/client.ts";
import { FILE_HISTORY } from "../api/queries/file-history.ts";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { formatBytes, isolate } from "../design/format.ts";
import { toast } from "../design/toast.tsx";
import type { FileFacts } from "./file-facts.ts";

interface ReplaceFileProps {
  readonly file: FileFacts;
  /** Called when the file has new bytes. */
  readonly onReplaced: (() => void) | undefined;
}

/** Replaces the bytes of a file by a chosen or dropped file. The user confirms first, because the former bytes are lost. */
export function ReplaceFile({ file, onReplaced }: ReplaceFileProps) {
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [next, setNext] = useState<File>();
  useDrop(setNext);

  const replace = async () => {
    if (next === undefined) return;
    // A repeat after a lost answer stores the same bytes again.
    await sendAgain(connection, {
      method: "PUT",
      path: `/images/${encodeURIComponent(file._id)}/content`,
      headers: { "Content-Type": next.type || "application/octet-stream" },
      body: next,
    });
    toast({ title: `${isolate(file.prompt)} has new content` });
    for (const key of ["image", "images", "overview", FILE_HISTORY])
      void queries.invalidateQueries({ queryKey: [key] });
    onReplaced?.();
  };
  return (
    <>
      <Button icon={ImageUp} onClick={() => input.current?.click()}>
        Replace the file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="The new file"
        accept="image/*,video/*"
        onChange={({ currentTarget }) => {
          setNext(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
      <ConfirmDialog
        open={next !== undefined}
        onOpenChange={(open) => !open && setNext(undefined)}
        title={`Replace ${file.prompt}?`}
        action="Replace"
        onConfirm={replace}
      >
        {next !== undefined && `${next.name} (${formatBytes(next.size)}) takes its place. `}
        Name, tags and folder stay, and earlier links lead to the new content. The former content is lost.
      </ConfirmDialog>
    </>
  );
}

/** Takes the first file that is dropped anywhere while a file is open. Otherwise the page would upload it. */
function useDrop(onFile: (file: File) => void): void {
  const take = useRef(onFile);
  take.current = onFile;
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      const transfer = event.dataTransfer;
      if (!transfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      transfer.dropEffect = "copy";
      const [dropped] = event.type === "drop" ? transfer.files : [];
      if (dropped !== undefined) take.current(dropped);
    };
    document.addEventListener("dragover", onDrag, true);
    document.addEventListener("drop", onDrag, true);
    return () => {
      document.removeEventListener("dragover", onDrag, true);
      document.removeEventListener("drop", onDrag, true);
    };
  }, []);
}
