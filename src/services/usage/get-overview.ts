import { readFileCounts } from "../../db/library/file-counts.ts";
import { countFolders } from "../../db/library/folders.ts";
import { isVideo } from "../../domain/media-types.ts";
import type { AccountFigures } from "../../meter/books/figures.ts";
import type { AccountContext } from "../context.ts";

export interface Overview {
  readonly figures: AccountFigures;
  /** Active and trashed files; `trashedBytes` is the stored size of the trashed ones. */
  readonly files: Readonly<Record<"total" | "images" | "videos" | "trashed" | "trashedBytes", number>>;
  readonly folders: number;
  /** Stored bytes; their sum is `figures.storageUsedBytes` without thumbnails. */
  readonly storedBytes: Readonly<Record<"images" | "videos" | "trash", number>>;
}

/** An account's storage and usage. The figures are the meter's at the request's admission. */
export async function getOverview({ library, accountId, figures }: AccountContext): Promise<Overview> {
  const [counts, folders] = await Promise.all([readFileCounts(library, accountId), countFolders(library, accountId)]);
  const files = { total: 0, images: 0, videos: 0, trashed: 0, trashedBytes: 0 };
  const storedBytes = { images: 0, videos: 0, trash: 0 };
  for (const { status, mimeType, count, bytes } of counts) {
    files.total += count;
    if (isVideo(mimeType)) files.videos += count;
    else files.images += count;
    if (status === "trash") {
      files.trashed += count;
      files.trashedBytes += bytes;
    }
    storedBytes[status === "trash" ? "trash" : isVideo(mimeType) ? "videos" : "images"] += bytes;
  }
  return { figures, files, folders, storedBytes };
}
