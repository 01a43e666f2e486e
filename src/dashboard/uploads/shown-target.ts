/** Where files of this page go. */
export interface ShownTarget {
  /** Null is Root. */
  readonly folderId: string | null;
}

/** What of `data-drop-id` is no folder. */
const NO_FOLDERS = ["trash", "fav"];

/**
 * The folder that is shown.
 * @param path of the dashboard, without its base @param search as the library writes it
 */
export function shownTarget(path: string, search: string): ShownTarget {
  const folder = path.startsWith("/library") ? new URLSearchParams(search).get("folder") : null;
  return { folderId: toFolderId(folder) };
}

/** The folder that something is dropped on: it has priority over the one that is shown. */
export function droppedOn(dropId: string | undefined, shown: ShownTarget): ShownTarget {
  if (dropId === undefined || NO_FOLDERS.includes(dropId)) return shown;
  return { folderId: toFolderId(dropId) };
}

function toFolderId(folder: string | null): string | null {
  return folder === null || folder === "" || folder === "root" ? null : folder;
}
