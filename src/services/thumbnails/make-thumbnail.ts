import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { thumbnailKey } from "../../domain/object-key.ts";
import { signPreview } from "../../domain/preview-token.ts";
import { toFactsMetadata } from "../../domain/video-facts.ts";
import type { Thumbnail } from "../../processor/thumbnail-answer.ts";
import { openLibrary } from "../accounts/open-library.ts";
import type { Services } from "../context.ts";
import { countThumbnail } from "../metrics/count-thumbnail.ts";
import { failThumbnail } from "./fail-thumbnail.ts";

/** Longer than the processor takes, queueing included. */
const SOURCE_VALID_SECONDS = 600;

export interface ThumbnailContext extends Pick<Services, "libraries" | "files" | "processor" | "meterOf" | "now"> {
  readonly previewSecret: string;
}

export interface Video {
  readonly accountId: string;
  readonly uploadId: string;
}

type MadeThumbnail = Extract<Thumbnail, { outcome: "made" }>;

/**
 * Makes a video's thumbnail: reserve, R2, then settle, which writes the row once, with what is known of the video. Every step can be
 * done again after a crash, and a second call for the same video makes and counts nothing. Where the storage is full the video goes
 * without one, and where nobody makes thumbnails without a verdict either: they can be made later (retry-thumbnails.ts).
 * @throws Error where it may work later
 */
export async function makeThumbnail(context: ThumbnailContext, video: Video): Promise<void> {
  const { accountId, uploadId } = video;
  const library = await openLibrary(context, accountId);
  const row = library && (await findUpload(library, accountId, uploadId));
  if (row === undefined) return removeLeftover(context, video);
  if (row.thumbnailError !== null || row.thumbnailSizeBytes !== null) return settle(context, row);
  const { objectKey, mimeType: type } = row;
  const thumbnail = await context.processor.thumbnail({ objectKey, token: await signSource(context, objectKey), type });
  if (thumbnail === undefined) return countThumbnail("nobody-makes-them");
  if (thumbnail.outcome === "impossible") {
    countThumbnail("impossible");
    return failThumbnail(context, video, thumbnail.reason);
  }
  await store(context, row, thumbnail);
}

/** Lets the processor read this video alone, for these minutes alone, without counting a view. */
function signSource({ previewSecret, now }: ThumbnailContext, objectKey: string): Promise<string> {
  return signPreview(previewSecret, objectKey, Math.ceil(now() / 1000) + SOURCE_VALID_SECONDS);
}

async function store(context: ThumbnailContext, row: Upload, { jpeg, facts }: MadeThumbnail): Promise<void> {
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
      countThumbnail("storage-full");
      return failThumbnail(context, video, "The storage was full", facts);
    case "reserved":
  }
  await context.files.put(thumbnailKey(row.accountId, row.id), jpeg, {
    httpMetadata: { contentType: "image/jpeg" },
    customMetadata: toFactsMetadata(facts),
  });
  await settle(context, row);
  countThumbnail("made");
}

/** Makes the figures and the row agree with what R2 holds. @throws Error where that is nothing, for no known reason */
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
