import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import type { Folder } from "../../client/index.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Announcer } from "./announcer.tsx";
import { DropOverlay } from "./drop-overlay.tsx";
import { uploads } from "./queue.ts";
import type { Dropped } from "./read-drop.ts";
import { useUnsentNotice } from "./use-unsent-notice.ts";
import { useUploads } from "./use-uploads.ts";
import type { Over } from "./use-window-drop.ts";

const Tray = lazyPart(() => import("./tray.tsx"));
const FoldersDialog = lazyPart(() => import("./folders-dialog.tsx"));

/** The page itself is loaded before what it may need later. */
const IDLE_AFTER_MS = 1500;

/** Folders that were dropped: they are made only where that is wanted. */
export interface DroppedFolders {
  readonly dropped: Dropped;
  readonly folderId: string | null;
}

interface UploadsViewProps {
  readonly over: Over;
  /** The folder that is shown, where files go that are dropped on the page. */
  readonly shownId: string | null;
  readonly choose: () => void;
  readonly asking: DroppedFolders | undefined;
  readonly onAnswered: () => void;
}

/** What is seen and heard of uploads. It is loaded beside the page: files are taken before it is there. */
export default function UploadsView({ over, shownId, choose, asking, onAnswered }: UploadsViewProps) {
  const hasFiles = useUploads().total > 0;
  const folders = useQueryClient().getQueryData<Folder[]>(["folders"]);
  const folderName = folders?.find(({ _id }) => _id === shownId)?.name;
  useUnsentNotice(choose);
  useEffect(() => {
    const timer = setTimeout(() => {
      uploads.prepare();
      for (const load of [Tray.load, () => import("./read-drop.ts")]) void load().catch(() => undefined);
    }, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Announcer />
      {over !== undefined && <DropOverlay over={over} folderName={folderName ?? "Root"} />}
      <Suspense fallback={null}>
        {hasFiles && <Tray />}
        {asking !== undefined && <FoldersDialog {...asking} onClose={onAnswered} />}
      </Suspense>
    </>
  );
}
