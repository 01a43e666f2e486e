import type { HistoryEntry } from "../../client/index.ts";
import { MAX_KEPT_CHANGES } from "../../domain/file-history.ts";
import { isolate } from "../design/format.ts";

/** "Moved to Summer". */
export function changeInWords({ type, folderId, folderName }: HistoryEntry): string {
  switch (type) {
    case "uploaded":
      return "Uploaded";
    case "moved":
      if (folderId === null || folderId === undefined) return "Moved to Root";
      return folderName ? `Moved to ${isolate(folderName)}` : "Moved to a folder that was deleted";
    case "renamed":
      return "Renamed";
    case "replaced":
      return "Replaced";
    case "trashed":
      return "Moved to the trash";
    case "restored":
      return "Restored";
  }
}

/** "by the key CI script". @returns undefined if the author is unknown */
export function authorInWords(by: HistoryEntry["by"]): string | undefined {
  switch (by?.type) {
    case undefined:
      return undefined;
    case "session":
      return "by a logged-in person";
    case "key":
      if (by.name === null) return "by a key that was revoked";
      return `by the key ${isolate(by.name)}${by.revoked ? ", which was revoked" : ""}`;
    case "upload_token":
      return "with an upload token";
    case "share":
      return by.name === null ? "by a guest of a share" : `by a guest of the share ${isolate(by.name)}`;
  }
}

/** Tells why a history is short. @returns undefined if it is whole and has changes */
export function noteOn(entries: readonly HistoryEntry[]): string | undefined {
  const changes = entries.length - 1;
  if (changes >= MAX_KEPT_CHANGES) return "Older changes are not kept.";
  if (entries.at(-1)?.by === null) return "Earlier changes are not known.";
  return changes < 1 ? "No changes since." : undefined;
}
