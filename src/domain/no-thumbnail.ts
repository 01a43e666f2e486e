/**
 * Why an intact video file has no picture (THUMB-4), as the media processor reports it and `thumbnail_error` stores it.
 * Any other text in that column is a failure's reason.
 */
export const NO_THUMBNAIL_REASONS = ["no_video", "no_frames"] as const;

export type NoThumbnailReason = (typeof NO_THUMBNAIL_REASONS)[number];

export function findNoThumbnailReason(text: string | null | undefined): NoThumbnailReason | undefined {
  return NO_THUMBNAIL_REASONS.find((reason) => reason === text);
}
