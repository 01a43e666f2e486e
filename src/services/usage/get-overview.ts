import { readFileCounts } from "../../db/library/file-counts.ts";
import { countFolders } from "../../db/library/folders.ts";
import { isVideo } from "../../domain/media-types.ts";
import type { AccountFigures } from "../../meter/figures.ts";
import type { AccountContext } from "../context.ts";

export interface Overview {
  readonly figures: AccountFigures;
  /** Active and trashed ones; `trashedBytes` are their stored sizes. */
  readonly files: Readonly<Record<"total" | "images" | "videos" | "trashed" | "trashedBytes", number>>;
  readonly folders: number;
  /** What the files take, in bytes; their sum is `figures.storageUsedBytes` without thumbnails. */
  readonly storedBytes: Readonly<Record<"images" | "videos" | "trash", number>>;
}

/** What an account stores and has used. The figures are the meter's, as it told them when it let the request in. */
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
