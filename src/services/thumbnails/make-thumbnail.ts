import { updateThumbnail } from "../../db/queries/thumbnails.ts";
import { findUpload } from "../../db/queries/uploads.ts";
import type { Upload } from "../../db/schema.ts";
import { PREVIEW_PARAMETER, signPreview } from "../../domain/preview-token.ts";
import { objectUrl, thumbnailKey } from "../../media/object-key.ts";
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
}

/**
 * Makes a video's thumbnail: facts, reserve, R2, then settle, which writes the row. Every step can be done again after a
 * crash, and a second call for the same video makes and counts nothing. Where the storage is full the video goes without one.
 * @throws Error where it may work later
 */
export async function makeThumbnail(context: ThumbnailContext, video: Video): Promise<void> {
  const { accountId, uploadId } = video;
  const row = await findUpload(context.db, accountId, uploadId);
  if (row === undefined) return removeLeftover(context, video);
  if (row.thumbnailError !== null || row.thumbnailSizeBytes !== null) return settle(context, row);
  const thumbnail = await context.processor.thumbnail(await signedSource(context, row), row.mimeType);
  if (thumbnail.outcome === "impossible") return failThumbnail(context, video, thumbnail.reason);
  const { jpeg, width, height, durationMs } = thumbnail;
  // They are known even where there is no room for the thumbnail.
  if (!(await updateThumbnail(context.db, accountId, uploadId, { width, height, durationMs }))) return;
  await store(context, row, jpeg);
}

/** An address of the video that counts no view, and that is of use for this video and these minutes alone. */
async function signedSource({ cdnUrl, previewSecret, now }: ThumbnailContext, { objectKey }: Upload): Promise<string> {
  if (cdnUrl === "") throw new Error("CDN_URL must be set: the media processor reads the video there");
  const expires = Math.ceil(now() / 1000) + SOURCE_VALID_SECONDS;
  const token = await signPreview(previewSecret, objectKey, expires);
  return `${objectUrl(cdnUrl, objectKey)}?${PREVIEW_PARAMETER}=${token}`;
}

async function store(context: ThumbnailContext, row: Upload, jpeg: Uint8Array<ArrayBuffer>): Promise<void> {
  const video = { accountId: row.accountId, uploadId: row.id };
  switch (await context.meterOf(row.accountId).reserveThumbnail(row.id, jpeg.length)) {
    case "gone":
    case "counted":
      return;
    case "unsettled":
      throw new Error("The upload is not settled yet");
    case "storage-reserved":
      throw new Error("The room is set aside for others at the moment");
    case "storage-full":
      return failThumbnail(context, video, "The storage was full");
    case "reserved":
  }
  await context.files.put(thumbnailKey(row.accountId, row.id), jpeg, { httpMetadata: { contentType: "image/jpeg" } });
  await settle(context, row);
}

/** Has the figures and the row agree with what R2 holds. @throws Error where that is nothing, for no reason known */
async function settle({ meterOf, ...context }: ThumbnailContext, row: Upload): Promise<void> {
  const { accountId, id: uploadId, thumbnailError } = row;
  switch (await meterOf(accountId).settleThumbnail(uploadId)) {
    case "counted":
      return;
    case "gone":
      return removeLeftover(context, { accountId, uploadId });
    case "missing":
      if (thumbnailError === null) throw new Error("The thumbnail is not there any more");
  }
}

/** The upload was deleted, or its account erased: whatever an attempt put there goes too. */
async function removeLeftover({ files }: Pick<Services, "files">, { accountId, uploadId }: Video): Promise<void> {
  await files.delete(thumbnailKey(accountId, uploadId));
}
