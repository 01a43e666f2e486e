import Upload from "lucide-react/icons/upload";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { formatPlural } from "../design/format.ts";
import { sparePart } from "../design/lazy-part.tsx";
import { toast } from "../design/toast.tsx";
import { registerCommands } from "../shell/commands.ts";
import type { DropEntry, Dropped } from "./read-drop.ts";
import { uploads } from "./uploads-store.ts";
import type { DroppedFolders } from "./uploads-view.tsx";
import { useWindowDrop } from "./use-window-drop.ts";

const UploadsView = sparePart(() => import("./uploads-view.tsx"));

/** Loads the uploads' view. @throws the import's error */
export const loadUploads = () => UploadsView.load();

/** Takes files on every page from the first moment: by the file chooser, a drop or a paste. */
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
    if (unreadable > 0)
      toast({ tone: "danger", title: `${formatPlural(unreadable, "dropped item")} could not be read` });
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
          // Clears the chooser, so that the same files can be chosen again.
          currentTarget.value = "";
        }}
      />
      <UploadsView
        over={over}
        shownId={shown.folderId}
        choose={choose}
        asking={asking}
        onAnswered={() => setAsking(undefined)}
      />
    </>
  );
}

/** The part of `DataTransfer` used here. */
interface Clipboard {
  readonly files: Iterable<File>;
  readonly types: readonly string[];
}

/**
 * Reads the files of a clipboard. Pictures copied from a program are all named `image.png`, so they are named by the time.
 * @param isEditing whether a text field has the focus, which prefers text to files
 */
function pastedFiles({ files, types }: Clipboard, isEditing: boolean, now: Date): File[] {
  if (isEditing && types.some((type) => type.startsWith("text/"))) return [];
  return Array.from(files, (file) => {
    const [, extension] = /^image\.(\w+)$/.exec(file.name) ?? [];
    if (extension === undefined) return file;
    return new File([file], `Pasted ${timeOf(now)}.${extension}`, { type: file.type, lastModified: file.lastModified });
  });
}

/** "2026-11-22 18.05.01", in the reader's time zone. */
function timeOf(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
}

/**
 * Reads a drop. Call it during the event, because the data is gone afterwards.
 * @returns the dropped files, with folders if the browser distinguishes them from files
 */
async function receiveDrop({ items, files }: DataTransfer): Promise<Dropped> {
  const entries = Array.from(items, (item) => (item.kind === "file" ? item.webkitGetAsEntry?.() : undefined));
  const known = entries.filter((entry) => entry != null) as DropEntry[];
  const plain = Array.from(files, (file) => ({ file, path: [] }));
  // All data of the event has been read.
  if (known.length > 0) return (await import("./read-drop.ts")).readDrop(known);
  return { files: plain, folders: [], unreadable: 0 };
}

interface ShownTarget {
  /** Null is Root. */
  readonly folderId: string | null;
}

/** Values of `data-drop-id` that are not folders. */
const NO_FOLDERS = ["trash", "fav"];

/**
 * The target on a page: the shown folder.
 * @param path without the dashboard's base
 * @param search as the library writes it
 */
function shownTarget(path: string, search: string): ShownTarget {
  const folder = path.startsWith("/library") ? new URLSearchParams(search).get("folder") : null;
  return { folderId: toFolderId(folder) };
}

/** The target of a drop: the folder under the pointer, else the shown folder. */
function droppedOn(dropId: string | undefined, shown: ShownTarget): ShownTarget {
  if (dropId === undefined || NO_FOLDERS.includes(dropId)) return shown;
  return { folderId: toFolderId(dropId) };
}

function toFolderId(folder: string | null): string | null {
  return folder === null || folder === "" || folder === "root" ? null : folder;
}
