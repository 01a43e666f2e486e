import { updateThumbnail } from "../../db/queries/thumbnails.ts";
import { findUpload } from "../../db/queries/uploads.ts";
import { PREVIEW_PARAMETER, signPreview } from "../../domain/preview-token.ts";
import { objectUrl, thumbnailKey } from "../../media/object-key.ts";
import type { Thumbnail } from "../../processor/media-processor.ts";
import type { Services } from "../context.ts";
import { failThumbnail } from "./fail-thumbnail.ts";

/** Longer than the processor takes, queueing included. */
const SOURCE_VALID_SECONDS = 600;

export interface ThumbnailContext extends Pick<Services, "db" | "files" | "processor" | "meterOf" | "now"> {
  readonly cdnUrl: string;
  readonly previewSecret: string;
}

export interface Video {
  readonly accountId: string;
  readonly uploadId: string;
  readonly objectKey: string;
  readonly mimeType: string;
}

/**
 * Makes a video's thumbnail: reserve, R2, then the row, then settle. Every step can be done again after a crash, and a second
 * call for the same video makes and counts nothing. Where the storage is full the video goes without one.
 * @throws Error where it may work later
 */
export async function makeThumbnail(context: ThumbnailContext, video: Video): Promise<void> {
  const { accountId, uploadId } = video;
  const row = await findUpload(context.db, accountId, uploadId);
  if (row === undefined || row.thumbnailError !== null) return;
  if (row.thumbnailSizeBytes !== null) return settle(context, video, row.thumbnailSizeBytes);
  const thumbnail = await context.processor.thumbnail(await signedSource(context, video), video.mimeType);
  if (thumbnail.outcome === "impossible") return failThumbnail(context, video, thumbnail.reason);
  await store(context, video, thumbnail);
}

/** An address of the video that counts no view, and that is of use for this video and this hour alone. */
async function signedSource({ cdnUrl, previewSecret, now }: ThumbnailContext, { objectKey }: Video): Promise<string> {
  if (cdnUrl === "") throw new Error("CDN_URL must be set: the media processor reads the video there");
  const expires = Math.ceil(now() / 1000) + SOURCE_VALID_SECONDS;
  const token = await signPreview(previewSecret, objectKey, expires);
  return `${objectUrl(cdnUrl, objectKey)}?${PREVIEW_PARAMETER}=${token}`;
}

async function store(
  context: ThumbnailContext,
  video: Video,
  { jpeg, width, height, durationMs }: Extract<Thumbnail, { outcome: "made" }>,
): Promise<void> {
  const { accountId, uploadId } = video;
  const meter = context.meterOf(accountId);
  const key = thumbnailKey(accountId, uploadId);
  switch (await meter.reserveThumbnail(uploadId, jpeg.length)) {
    case "gone":
    case "counted":
      return;
    case "storage-full":
      return failThumbnail(context, video, "The storage was full");
    case "reserved":
  }
  await context.files.put(key, jpeg, { httpMetadata: { contentType: "image/jpeg" } });
  const facts = { thumbnailSizeBytes: jpeg.length, thumbnailError: null, width, height, durationMs };
  if (await updateThumbnail(context.db, accountId, uploadId, facts)) return settle(context, video, jpeg.length);
  // The upload was deleted meanwhile.
  await context.files.delete(key);
  await meter.releaseThumbnail(uploadId);
}

/** Counts a thumbnail that its row knows. Where it was removed meanwhile, the row forgets it. */
async function settle(context: ThumbnailContext, { accountId, uploadId }: Video, sizeBytes: number): Promise<void> {
  if (await context.meterOf(accountId).settleThumbnail(uploadId, sizeBytes)) return;
  await context.files.delete(thumbnailKey(accountId, uploadId));
  const forgotten = { thumbnailSizeBytes: null, thumbnailError: null };
  if (await updateThumbnail(context.db, accountId, uploadId, forgotten)) {
    throw new Error("The thumbnail was removed before it was settled");
  }
}
