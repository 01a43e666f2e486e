import type { Services } from "../context.ts";
import { type WalkOptions, walkUploads } from "../walk-uploads.ts";
import { listMissing } from "./list-missing.ts";

export interface FailedThumbnail {
  readonly accountId: string;
  readonly uploadId: string;
  readonly reason: string;
}

/**
 * Videos with a recorded reason for having no thumbnail, at most a hundred in a call.
 * @throws ServiceError 404 for an unknown account, 400 for an invalid `after`
 */
export async function listFailedThumbnails(
  services: Pick<Services, "directory" | "libraries">,
  options: WalkOptions,
): Promise<{ readonly thumbnails: FailedThumbnail[]; readonly next: string | null }> {
  const { found, next } = await walkUploads(services, options, listMissing({ failedOnly: true }));
  const thumbnails = (found?.uploads ?? []).map(({ id: uploadId, thumbnailError }) => ({
    accountId: found?.accountId ?? "",
    uploadId,
    reason: thumbnailError ?? "",
  }));
  return { thumbnails, next };
}
