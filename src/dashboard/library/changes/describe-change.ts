import { cutMiddle, isolate } from "../../design/format.ts";
import type { ToastMessage } from "../../design/toast-queue.ts";
import type { FileFactsPatch } from "../../file/file-facts.ts";
import { files } from "../words.ts";
import type { Item, Patch } from "./patch.ts";

/** A message with names or two sentences to read. */
const SENTENCES_MS = 10_000;
const MOST_NAMED = 3;
const LONGEST_NAME = 30;

/** The files that a change did not reach, because another tab or program was first. */
export interface Missed {
  readonly deleted: readonly Item[];
  /** The number of deleted or changed files among too many to look up. */
  readonly unnamed: number;
}

/** Reports a change: "3 files moved to Clients". */
export function titleOfChange(count: number, patch: Patch, folderName: (folderId: string | null) => string): string {
  const { status, folderId, favorite, visibility, addTags = [], removeTags = [], facts } = patch;
  const what = files(count);
  if (facts !== undefined) return titleOfFacts(facts);
  if (status === "trash") return `${what} moved to the trash`;
  if (status === "active") return `${what} restored`;
  if (status === "deleted") return `${what} deleted permanently`;
  if (folderId !== undefined) return `${what} moved to ${folderName(folderId)}`;
  if (visibility !== undefined) return `${what} made ${visibility}`;
  if (favorite !== undefined) return favorite ? `${what} added to favourites` : `${what} removed from favourites`;
  if (addTags.length > 0 && removeTags.length > 0) return `Tags of ${what} changed`;
  return removeTags.length > 0
    ? `${removeTags.join(", ")} removed from ${what}`
    : `${what} tagged ${addTags.join(", ")}`;
}

/** Reports a permanent deletion that kept files, because another tab or program restored them first. */
export function messageOfKept(deleted: number, kept: number): ToastMessage {
  const were = kept === 1 ? "was restored in the meantime and is" : "were restored in the meantime and are";
  return {
    title: deleted === 0 ? "Nothing was deleted" : `${files(deleted)} deleted permanently`,
    description: `${files(kept)} ${were} kept.`,
    timeoutMs: SENTENCES_MS,
  };
}

/** Reports the files that a change did not reach: "a.png and b.png were deleted in the meantime." */
export function messageOfMissed({ deleted, unnamed }: Missed): Pick<ToastMessage, "description" | "timeoutMs"> {
  if (unnamed > 0) {
    const were = unnamed === 1 ? "was" : "were";
    return {
      description: `${files(unnamed)} ${were} deleted or changed in the meantime.`,
      timeoutMs: SENTENCES_MS,
    };
  }
  if (deleted.length === 0) return {};
  // "1 other" would be no shorter than its name.
  const named = deleted.length > MOST_NAMED ? deleted.slice(0, MOST_NAMED - 1) : deleted;
  const names = named.map(({ prompt }) => isolate(cutMiddle(prompt, LONGEST_NAME)));
  const others = deleted.length - named.length;
  const list = new Intl.ListFormat("en").format(others > 0 ? [...names, `${others} others`] : names);
  return {
    description: `${list} ${deleted.length === 1 ? "was" : "were"} deleted in the meantime.`,
    timeoutMs: SENTENCES_MS,
  };
}

function titleOfFacts({ originalFilename, alt, externalId, metadata, focalPoint }: FileFactsPatch): string {
  if (originalFilename !== undefined) return `Renamed to ${isolate(originalFilename)}`;
  if (alt !== undefined) return alt === null ? "Alt text removed" : "Alt text saved";
  if (externalId !== undefined) return externalId === null ? "Id removed" : "Id saved";
  if (metadata !== undefined) return metadata === null ? "Metadata removed" : "Metadata saved";
  if (focalPoint !== undefined) return focalPoint === null ? "Focal point removed" : "Focal point saved";
  return "Expiry changed";
}

/** Reports a change that failed: "3 files could not be moved to the trash". */
export function titleOfFailure(count: number, { status, folderId, favorite, visibility, facts }: Patch): string {
  const what = files(count);
  if (facts !== undefined) return "The file could not be changed";
  if (status === "trash") return `${what} could not be moved to the trash`;
  if (status === "active") return `${what} could not be restored`;
  if (status === "deleted") return `${what} could not be deleted`;
  if (folderId !== undefined) return `${what} could not be moved`;
  if (visibility !== undefined) return `${what} could not be made ${visibility}`;
  if (favorite === undefined) return `The tags of ${what} could not be changed`;
  return `${what} could not be ${favorite ? "added to" : "removed from"} favourites`;
}
