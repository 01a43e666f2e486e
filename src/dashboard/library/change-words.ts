import type { Patch } from "./change.ts";
import { files } from "./words.ts";

/** What was done: "3 files moved to Clients". */
export function told(count: number, patch: Patch, folderName: (folderId: string | null) => string): string {
  const { status, folderId, favorite, addTags = [], removeTags = [] } = patch;
  const what = files(count);
  if (status === "trash") return `${what} moved to the trash`;
  if (status === "active") return `${what} restored`;
  if (status === "deleted") return `${what} deleted for good`;
  if (folderId !== undefined) return `${what} moved to ${folderName(folderId)}`;
  if (favorite !== undefined) return favorite ? `${what} added to favourites` : `${what} taken out of favourites`;
  if (addTags.length > 0 && removeTags.length > 0) return `Tags of ${what} changed`;
  return removeTags.length > 0 ? `${removeTags.join(", ")} taken off ${what}` : `${what} tagged ${addTags.join(", ")}`;
}

/** What could not be done: "3 files could not be moved to the trash". */
export function refused(count: number, { status, folderId, favorite }: Patch): string {
  const what = files(count);
  if (status === "trash") return `${what} could not be moved to the trash`;
  if (status === "active") return `${what} could not be restored`;
  if (status === "deleted") return `${what} could not be deleted`;
  if (folderId !== undefined) return `${what} could not be moved`;
  return favorite === undefined ? `The tags of ${what} could not be changed` : `${what} could not be marked`;
}
