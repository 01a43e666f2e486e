import type { MediaObject } from "../../../client/index.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import type { FileFactsPatch } from "../../file/file-facts.ts";
import type { Filters } from "../view/filters.ts";

/** A change of files: the given fields are set. `deleted` is permanent. */
export interface Patch {
  readonly favorite?: boolean | undefined;
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  readonly status?: "active" | "trash" | "deleted" | undefined;
  /** A deletion keeps files that are not in the trash any more. */
  readonly onlyFrom?: "trash" | undefined;
  /** A patch with a visibility has nothing else. */
  readonly visibility?: Visibility | undefined;
  /** The facts of a single file. A patch with facts has nothing else. */
  readonly facts?: FileFactsPatch | undefined;
}

export type Item = MediaObject & {
  readonly previewUrl?: string | null;
  readonly durationMs?: number | null;
  readonly thumbnail?: "pending" | "ready" | "failed" | "none" | null;
};

/** @returns the item after the change; undefined if it is deleted */
export function patched(item: Item, patch: Patch): Item | undefined {
  const {
    favorite = item.favorite,
    folderId = item.folderId,
    addTags = [],
    removeTags = [],
    status = item.status,
    visibility = item.visibility,
    facts,
  } = patch;
  if (status === "deleted") return undefined;
  const kept = item.tags.filter((tag) => !removeTags.includes(tag));
  const tags = [...kept, ...addTags.filter((tag) => !kept.includes(tag))];
  const prompt = facts?.originalFilename ?? item.prompt;
  return { ...item, favorite, folderId, tags, status, visibility, ...facts, prompt };
}

/**
 * Whether a changed file stays in a view that contained it. Fields that no change affects (name, day, size, type) are not checked. A search
 * is not checked either, because it also finds tags: the server's next response decides.
 */
export function staysIn(item: Item, { status, folder, fav, visibility, tags, not }: Filters): boolean {
  return (
    item.status === status &&
    (folder === "all" || item.folderId === (folder === "root" ? null : folder)) &&
    (!fav || item.favorite) &&
    (visibility === undefined || item.visibility === visibility) &&
    tags.every((tag) => item.tags.includes(tag)) &&
    !not.some((tag) => item.tags.includes(tag))
  );
}
