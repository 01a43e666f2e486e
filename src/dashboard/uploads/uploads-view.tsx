import { useQueryClient } from "@tanstack/react-query";
import Upload from "lucide-react/icons/upload";
import { Suspense, useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Folder } from "../../client/index.ts";
import { lazyPart, sparePart } from "../design/lazy-part.tsx";
import { announce, NOTHING_SAID } from "./announce.ts";
import styles from "./drop-overlay.module.css";
import type { Dropped } from "./read-drop.ts";
import { uploads } from "./uploads-store.ts";
import { useUploads } from "./use-uploads.ts";
import type { Over } from "./use-window-drop.ts";

const Tray = sparePart(() => import("./tray.tsx"));
const UploadWays = sparePart(() => import("./upload-ways.tsx"));
const DroppedFoldersDialog = lazyPart(() => import("./dropped-folders-dialog.tsx"));
const SharedFilesDialog = lazyPart(() => import("./shared-files-dialog.tsx"));

/** The page is loaded first, then the parts for later. */
const IDLE_AFTER_MS = 1500;

/** The parameter of the address to which files shared by another app lead (public/app/share-worker.js). */
const SHARED = "shared";

/** An installed dashboard takes shared files. */
async function takeShares(): Promise<void> {
  if (matchMedia("(display-mode: standalone)").matches) await (await import("./share-target.ts")).takeShares();
}

/** A drop with folders, which are created only after a confirmation. */
export interface DroppedFolders {
  readonly dropped: Dropped;
  readonly folderId: string | null;
}

interface UploadsViewProps {
  readonly over: Over;
  /** The shown folder, which takes files dropped on the page. */
  readonly shownId: string | null;
  readonly choose: () => void;
  readonly asking: DroppedFolders | undefined;
  readonly onAnswered: () => void;
}

/** The visible and audible parts of uploads. They are loaded after the page, which accepts files earlier. */
export default function UploadsView({ over, shownId, choose, asking, onAnswered }: UploadsViewProps) {
  const hasFiles = useUploads().total > 0;
  const folders = useQueryClient().getQueryData<Folder[]>(["folders"]);
  const folderName = folders?.find(({ _id }) => _id === shownId)?.name;
  const [path, navigate] = useLocation();
  const isShared = new URLSearchParams(useSearch()).has(SHARED);
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      uploads.prepare();
      setIdle(true);
      for (const load of [Tray.load, () => import("./read-drop.ts"), takeShares]) void load().catch(() => undefined);
    }, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Announcer />
      {over !== undefined && <DropOverlay over={over} folderName={folderName ?? "Root"} />}
      {isIdle && <UploadWays shownId={shownId} choose={choose} />}
      {hasFiles && <Tray />}
      <Suspense fallback={null}>
        {asking !== undefined && <DroppedFoldersDialog {...asking} onClose={onAnswered} />}
        {isShared && <SharedFilesDialog onClose={() => navigate(path, { replace: true })} />}
      </Suspense>
    </>
  );
}

function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    let said = NOTHING_SAID;
    const look = () => {
      const next = announce(said, uploads.getSnapshot(), Date.now());
      if (next === undefined) return;
      said = next.said;
      setText(next.text);
    };
    look();
    return uploads.subscribe(look);
  }, []);
  return (
    <p role="status" className="hidden-text">
      {text}
    </p>
  );
}

interface DropOverlayProps {
  readonly over: NonNullable<Over>;
  readonly folderName: string;
}

function DropOverlay({ over, folderName }: DropOverlayProps) {
  return (
    <div className={styles.overlay} data-over={over}>
      <p className={styles.label}>
        <Upload size={20} aria-hidden />
        {over === "page" ? `Drop to upload to ${folderName}` : "Drop to upload into this folder"}
      </p>
    </div>
  );
}
