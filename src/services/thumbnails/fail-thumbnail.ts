import { recordThumbnailError } from "../../db/library/thumbnails.ts";
import type { VideoFacts } from "../../domain/video-facts.ts";
import type { Services } from "../context.ts";
import { openLibrary } from "../context.ts";

/**
 * Records that a video will have no thumbnail: its `thumbnailUrl` becomes null. It is only for reasons that the video or its account
 * causes. If an interrupted attempt already stored a thumbnail, the video keeps it.
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
