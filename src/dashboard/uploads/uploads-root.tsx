import Upload from "lucide-react/icons/upload";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { lazyPart } from "../design/lazy-part.tsx";
import { toast } from "../design/toast.tsx";
import { registerCommands } from "../shell/commands.ts";
import { pastedFiles } from "./pasted-files.ts";
import { uploads } from "./queue.ts";
import { receiveDrop } from "./receive-drop.ts";
import { droppedOn, shownTarget } from "./shown-target.ts";
import type { DroppedFolders } from "./uploads-view.tsx";
import { useWindowDrop } from "./use-window-drop.ts";

const UploadsView = lazyPart(() => import("./uploads-view.tsx"));

/** Loads what shows the uploads. @throws what the import throws */
export const loadUploads = () => UploadsView.load();

/** Files are taken wherever one is in the dashboard, from its first moment: by the chooser, a drop, a paste. */
export function UploadsRoot() {
  const [path] = useLocation();
  const shown = shownTarget(path, useSearch());
  const now = useRef(shown);
  now.current = shown;
  const chooser = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState<DroppedFolders>();

  const choose = useCallback(() => chooser.current?.click(), []);
  useEffect(
    () => registerCommands([{ id: "upload", title: "Upload files", keys: "u", icon: Upload, run: choose }]),
    [choose],
  );

  const over = useWindowDrop(async (transfer, dropId) => {
    const { folderId } = droppedOn(dropId, now.current);
    const dropped = await receiveDrop(transfer);
    const { files, folders: paths, unreadable } = dropped;
    if (unreadable > 0) toast({ tone: "danger", title: `${unreadable} of what was dropped could not be read` });
    if (paths.length > 0) setAsking({ dropped, folderId });
    else
      uploads.add(
        files.map(({ file }) => file),
        { folderId },
      );
  });

  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      const isEditing = target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
      if (clipboardData !== null) uploads.add(pastedFiles(clipboardData, isEditing, new Date()), now.current);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, []);

  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        accept="image/*,video/*,.avi,.mov"
        aria-label="Choose files to upload"
        onChange={({ currentTarget }) => {
          uploads.add([...(currentTarget.files ?? [])], now.current);
          // The same files can be chosen again.
          currentTarget.value = "";
        }}
      />
      <Suspense fallback={null}>
        <UploadsView
          over={over}
          shownId={shown.folderId}
          choose={choose}
          asking={asking}
          onAnswered={() => setAsking(undefined)}
        />
      </Suspense>
    </>
  );
}
