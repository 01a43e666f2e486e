import type { MediaObject } from "../../client/index.ts";
import type { Filters } from "./filters.ts";

/** What is done to files: each field that is given. `deleted` is for good. */
export interface Patch {
  readonly favorite?: boolean | undefined;
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  readonly status?: "active" | "trash" | "deleted" | undefined;
}

/** A file of the library. */
export type Item = MediaObject & {
  readonly previewUrl?: string | null;
  readonly durationMs?: number | null;
  readonly thumbnail?: "pending" | "ready" | "failed" | null;
};

/** @returns the item as the change leaves it; undefined where it is deleted */
export function patched(item: Item, patch: Patch): Item | undefined {
  const {
    favorite = item.favorite,
    folderId = item.folderId,
    addTags = [],
    removeTags = [],
    status = item.status,
  } = patch;
  if (status === "deleted") return undefined;
  const kept = item.tags.filter((tag) => !removeTags.includes(tag));
  const tags = [...kept, ...addTags.filter((tag) => !kept.includes(tag))];
  return { ...item, favorite, folderId, tags, status };
}

/**
 * Whether a file that a change has left so is still in a view that it was in. What no change touches (name, day, size, type) is not looked
 * at, nor is a search, which finds tags, too: the next answer of the server decides on it.
 */
export function staysIn(item: Item, { status, folder, fav, tags, not }: Filters): boolean {
  return (
    item.status === status &&
    (folder === "all" || item.folderId === (folder === "root" ? null : folder)) &&
    (!fav || item.favorite) &&
    tags.every((tag) => item.tags.includes(tag)) &&
    !not.some((tag) => item.tags.includes(tag))
  );
}

/** Of a change of more files there is no undo: the dialog says so beforehand. */
export const MOST_UNDONE = 5000;
