import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Folder } from "../../client/index.ts";
import { toast } from "../design/toast.tsx";
import { registerCommands } from "../shell/commands.ts";
import { Announcer } from "./announcer.tsx";
import { DropOverlay } from "./drop-overlay.tsx";
import { pastedFiles } from "./pasted-files.ts";
import { uploads } from "./queue.ts";
import type { Dropped } from "./read-drop.ts";
import { receiveDrop } from "./receive-drop.ts";
import { droppedOn, shownTarget } from "./shown-target.ts";
import { useUnsentNotice } from "./use-unsent-notice.ts";
import { useUploads } from "./use-uploads.ts";
import { useWindowDrop } from "./use-window-drop.ts";

const loadTray = () => import("./tray.tsx");
const Tray = lazy(loadTray);
const FoldersDialog = lazy(() => import("./folders-dialog.tsx"));

/** The page itself is loaded before what it may need later. */
const IDLE_AFTER_MS = 1500;

/** Files are taken wherever one is in the dashboard: by the chooser, a drop, a paste. */
export function UploadsRoot() {
  const [path] = useLocation();
  const shown = shownTarget(path, useSearch());
  const now = useRef(shown);
  now.current = shown;
  const chooser = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState<{ readonly dropped: Dropped; readonly folderId: string | null }>();
  const hasFiles = useUploads().total > 0;
  const folders = useQueryClient().getQueryData<Folder[]>(["folders"]);
  const folderName = folders?.find(({ _id }) => _id === shown.folderId)?.name;

  const choose = useCallback(() => chooser.current?.click(), []);
  useUnsentNotice(choose);
  useEffect(() => {
    const timer = setTimeout(() => {
      uploads.prepare();
      void loadTray().catch(() => undefined);
    }, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
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
      <Announcer />
      {over !== undefined && <DropOverlay over={over} folderName={folderName ?? "Root"} />}
      <Suspense fallback={null}>
        {hasFiles && <Tray />}
        {asking !== undefined && <FoldersDialog {...asking} onClose={() => setAsking(undefined)} />}
      </Suspense>
    </>
  );
}
