import type { Services } from "../context.ts";
import type { Signer } from "../paging.ts";
import { type WalkOptions, walkUploads } from "../walk-uploads.ts";
import { listMissing } from "./list-missing.ts";

export interface FailedThumbnail {
  readonly accountId: string;
  readonly uploadId: string;
  readonly reason: string;
}

/**
 * Videos with a recorded reason for having no thumbnail, at most a hundred in a call.
 * @throws ServiceError 404 for an unknown account, 400 for an invalid cursor
 */
export async function listFailedThumbnails(
  services: Pick<Services, "directory" | "libraries"> & Signer,
  options: WalkOptions,
): Promise<{ readonly thumbnails: FailedThumbnail[]; readonly nextCursor: string | null }> {
  const { found, nextCursor } = await walkUploads(
    services,
    "listFailedThumbnails",
    options,
    listMissing({ failedOnly: true }),
  );
  const thumbnails = (found?.uploads ?? []).map(({ id: uploadId, thumbnailError }) => ({
    accountId: found?.accountId ?? "",
    uploadId,
    reason: thumbnailError ?? "",
  }));
  return { thumbnails, nextCursor };
}
