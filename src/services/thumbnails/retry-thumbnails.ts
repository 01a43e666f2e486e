import type { Library } from "../../db/library/library.ts";
import { clearThumbnailErrors, type VideoWithoutThumbnail } from "../../db/library/thumbnails.ts";
import type { Services } from "../context.ts";
import { type WalkOptions, walkMissing } from "./walk-missing.ts";

export interface RetriedThumbnails {
  /** How many videos were announced. */
  readonly announced: number;
  /** Where the next call goes on; null where there is nothing left. */
  readonly next: string | null;
}

/**
 * Announces videos that have no thumbnail once more, whether that was recorded as a failure or never came about, up to a hundred a call.
 * Videos that get one meanwhile are not made twice, so that this may be called at any time and again.
 * @param email of one account; undefined for every account
 * @param after the `next` of the call before
 * @throws ServiceError 404 for an unknown account, 400 for an `after` that is not one of ours
 */
export async function retryThumbnails(
  services: Pick<Services, "directory" | "libraries" | "uploadEvents">,
  options: Pick<WalkOptions, "email" | "after">,
): Promise<RetriedThumbnails> {
  const { found, next } = await walkMissing(services, options);
  if (found === undefined) return { announced: 0, next };
  await announce({ library: found.library, ...services }, found.accountId, found.videos);
  return { announced: found.videos.length, next };
}

/** The reasons go first: a crash in between leaves videos that are undecided, which the next call finds as well. */
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
