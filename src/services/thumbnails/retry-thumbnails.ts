import type { Library } from "../../db/library/library.ts";
import { clearThumbnailErrors, type VideoWithoutThumbnail } from "../../db/library/thumbnails.ts";
import type { Services } from "../context.ts";
import type { Signer } from "../paging.ts";
import { type WalkOptions, walkUploads } from "../walk-uploads.ts";
import { listMissing } from "./list-missing.ts";

export interface RetriedThumbnails {
  /** Videos that were announced. */
  readonly announced: number;
  /** Start of the next call; null if nothing is left. */
  readonly nextCursor: string | null;
}

/**
 * Announces videos without a thumbnail again, failed or undecided, at most a hundred in a call. A video that gets a thumbnail before is not
 * processed twice, so a call is safe at any time.
 * @param email limits it to one account; undefined for every account
 * @throws ServiceError 404 for an unknown account, 400 for an invalid cursor
 */
export async function retryThumbnails(
  services: Pick<Services, "directory" | "libraries" | "uploadEvents"> & Signer,
  options: WalkOptions,
): Promise<RetriedThumbnails> {
  const { found, nextCursor } = await walkUploads(
    services,
    "retryThumbnails",
    options,
    listMissing({ failedOnly: false }),
  );
  if (found === undefined) return { announced: 0, nextCursor };
  await announce({ library: found.library, ...services }, found.accountId, found.uploads);
  return { announced: found.uploads.length, nextCursor };
}

/**
 * The reasons are cleared first: after a crash in between the videos are undecided, and the next call finds them as
 * well.
 */
async function announce(
  { library, uploadEvents }: Pick<Services, "uploadEvents"> & { readonly library: Library },
  accountId: string,
  videos: readonly VideoWithoutThumbnail[],
): Promise<void> {
  const failed = videos.filter(({ thumbnailError }) => thumbnailError !== null);
  if (failed.length > 0) {
    await clearThumbnailErrors(
      library,
      accountId,
      failed.map(({ id }) => id),
    );
  }
  await uploadEvents.sendBatch(
    videos.map(({ id: uploadId, objectKey, mimeType }) => ({
      body: { type: "upload.stored" as const, accountId, uploadId, objectKey, mimeType },
    })),
  );
}
