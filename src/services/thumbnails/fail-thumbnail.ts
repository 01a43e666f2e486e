import { markThumbnailFailed } from "../../db/queries/thumbnails.ts";
import type { Services } from "../context.ts";

/**
 * Records that a video will never have a thumbnail: from now on its `thumbnailUrl` is null. A video that has one after all,
 * as an attempt got that far before it broke off, keeps it.
 */
export async function failThumbnail(
  { db, meterOf }: Pick<Services, "db" | "meterOf">,
  { accountId, uploadId }: { readonly accountId: string; readonly uploadId: string },
  reason: string,
): Promise<void> {
  if ((await meterOf(accountId).settleThumbnail(uploadId)) !== "missing") return;
  await markThumbnailFailed(db, accountId, uploadId, reason);
}
