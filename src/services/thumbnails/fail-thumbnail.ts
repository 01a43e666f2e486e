import type { VideoFacts } from "../../domain/video-facts.ts";
import type { Services } from "../context.ts";
import type { Video } from "./make-thumbnail.ts";

/**
 * Records that a video will have no thumbnail: its `thumbnailUrl` becomes null. It is only for reasons that the video or its account
 * causes. If an interrupted attempt already stored a thumbnail, the video keeps it.
 */
export async function failThumbnail(
  { meterOf }: Pick<Services, "meterOf">,
  { accountId, uploadId, objectKey }: Video,
  reason: string,
  facts: Partial<VideoFacts> = {},
): Promise<void> {
  await meterOf(accountId).failThumbnail(uploadId, reason, facts, objectKey);
}
