import { recordThumbnailError } from "../../db/library/thumbnails.ts";
import type { VideoFacts } from "../../domain/video-facts.ts";
import { openLibrary } from "../accounts/open-library.ts";
import type { Services } from "../context.ts";

/**
 * Records that a video will have no thumbnail: from now on its `thumbnailUrl` is null. Only for reasons that lie in the video or in its
 * account. A video that has a thumbnail after all, because an attempt got that far before it broke off, keeps it.
 */
export async function failThumbnail(
  services: Pick<Services, "libraries" | "meterOf">,
  { accountId, uploadId }: { readonly accountId: string; readonly uploadId: string },
  reason: string,
  facts: Partial<VideoFacts> = {},
): Promise<void> {
  if ((await services.meterOf(accountId).settleThumbnail(uploadId)) !== "missing") return;
  const library = await openLibrary(services, accountId);
  if (library !== undefined) await recordThumbnailError(library, { accountId, id: uploadId }, reason, facts);
}
