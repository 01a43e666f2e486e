import { updateThumbnail } from "../../db/queries/thumbnails.ts";
import type { Services } from "../context.ts";

/** Records that a video will never have a thumbnail: from now on its `thumbnailUrl` is null. */
export async function failThumbnail(
  { db }: Pick<Services, "db">,
  { accountId, uploadId }: { readonly accountId: string; readonly uploadId: string },
  reason: string,
): Promise<void> {
  await updateThumbnail(db, accountId, uploadId, { thumbnailSizeBytes: null, thumbnailError: reason });
}
