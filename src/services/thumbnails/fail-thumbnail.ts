import type { VideoFacts } from "../../domain/video-facts.ts";
import type { Services } from "../context.ts";

/**
 * Records that a video will have no thumbnail: its `thumbnailUrl` becomes null. It is only for reasons that the video or its account
 * causes. If an interrupted attempt already stored a thumbnail, the video keeps it.
 */
export async function failThumbnail(
  { meterOf }: Pick<Services, "meterOf">,
  video: { readonly accountId: string; readonly uploadId: string; readonly objectKey: string },
  reason: string,
  facts: Partial<VideoFacts> = {},
): Promise<void> {
  const { accountId, uploadId, objectKey } = video;
  await meterOf(accountId).failThumbnail(uploadId, reason, facts, objectKey);
}
