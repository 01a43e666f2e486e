import type { VideoFacts } from "../../domain/video-facts.ts";
import type { Services } from "../context.ts";
import { requestModeration } from "../moderation/request-moderation.ts";

/**
 * Records that a video will have no thumbnail: its `thumbnailUrl` becomes null. It is only for reasons that the video or its account
 * causes. If an interrupted attempt already stored a thumbnail, the video keeps it, and the operator's hook is asked about it.
 */
export async function failThumbnail(
  context: Pick<Services, "meterOf" | "moderation">,
  video: { readonly accountId: string; readonly uploadId: string; readonly objectKey: string },
  reason: string,
  facts: Partial<VideoFacts> = {},
): Promise<void> {
  const { accountId, uploadId, objectKey } = video;
  const settled = await context.meterOf(accountId).failThumbnail(uploadId, reason, facts, objectKey);
  if (settled === "counted") await requestModeration(context, video);
}
