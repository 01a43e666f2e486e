import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { isVideo } from "../../domain/media-types.ts";
import { everyKey, keyAs, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { type Placeholder, toPlaceholderMetadata } from "../../domain/placeholder.ts";
import { signPreview } from "../../domain/preview-token.ts";
import type { SecretPair } from "../../domain/secret-pair.ts";
import { toFactsMetadata } from "../../domain/video-facts.ts";
import type { Thumbnail } from "../../processor/thumbnail-answer.ts";
import type { Services } from "../context.ts";
import { openLibrary } from "../context.ts";
import { countThumbnail } from "../metrics/counts.ts";
import { requestModeration } from "../moderation/request-moderation.ts";
import { makePlaceholder } from "../placeholders/make-placeholder.ts";
import { failThumbnail } from "./fail-thumbnail.ts";

/** Longer than the processor needs, including queueing. */
const SOURCE_VALID_SECONDS = 600;

export interface ThumbnailContext
  extends Pick<Services, "libraries" | "files" | "processor" | "meterOf" | "moderation" | "now"> {
  readonly previewSecret: SecretPair;
}

export interface Video {
  readonly accountId: string;
  readonly uploadId: string;
  /** The path of the bytes when the message was sent. */
  readonly objectKey: string;
}

type MadeThumbnail = Extract<Thumbnail, { outcome: "made" }>;

/**
 * Makes a video's thumbnail: reserves storage, writes to R2, then settles, which writes the row once with the video's
 * facts. Every step can be repeated after a crash, and a second call for the same video makes and counts nothing. If
 * the storage is full, the video gets no thumbnail; if no processor is configured, it stays without a verdict, and
 * retry-thumbnails.ts can make one later.
 * @throws Error if a retry may succeed
 */
export async function makeThumbnail(context: ThumbnailContext, video: Video): Promise<void> {
  const { accountId, uploadId } = video;
  const library = await openLibrary(context, accountId);
  const row = library && (await findUpload(library, accountId, uploadId));
  if (row === undefined) return endGone(context, video);
  // A late message about a video may find the image that has replaced it.
  if (row.takedown !== null || !isVideo(row.mimeType)) return;
  if (row.thumbnailError !== null || row.thumbnailSizeBytes !== null) {
    const isMade = await settle(context, row);
    if (isMade && row.placeholder === null) await makePlaceholder(context, video);
    return;
  }
  const { objectKey, mimeType: type } = row;
  const token = await signSource(context, objectKey);
  const thumbnail = await context.processor.thumbnail({ objectKey, token, type }).catch(async (error: unknown) => {
    if (await isGone(context, row)) return "gone" as const;
    throw error;
  });
  if (thumbnail === "gone") return endGone(context, row);
  if (thumbnail === undefined) return countThumbnail("no-processor");
  if (thumbnail.outcome !== "made") {
    countThumbnail(thumbnail.outcome);
    return failThumbnail(context, toVideo(row), thumbnail.reason);
  }
  await store(context, row, thumbnail);
}

/** A deleted video cannot be read, and replaced bytes cannot be read either, so the processor's failure is not a fault. */
async function isGone(context: ThumbnailContext, row: Upload): Promise<boolean> {
  return (await findVisibility(context, row)) === undefined;
}

function toVideo({ accountId, id: uploadId, objectKey }: Upload): Video {
  return { accountId, uploadId, objectKey };
}

/** Lets the processor read only this video, for some minutes, without counting a view. */
function signSource({ previewSecret, now }: ThumbnailContext, objectKey: string): Promise<string> {
  return signPreview(previewSecret.current, objectKey, Math.ceil(now() / 1000) + SOURCE_VALID_SECONDS);
}

async function store(context: ThumbnailContext, row: Upload, { jpeg, facts }: MadeThumbnail): Promise<void> {
  const video = toVideo(row);
  switch (await context.meterOf(row.accountId).reserveThumbnail(row.id, jpeg.length, row.objectKey)) {
    case "gone":
      return endGone(context, row);
    case "counted":
      // The object's alarm has counted the thumbnail, but the alarm calls no hook.
      return requestModeration(context, video);
    case "unsettled":
      throw new Error("The upload is not settled yet");
    case "storage-reserved":
      throw new Error("Other uploads reserve the storage at the moment");
    case "storage-full":
      countThumbnail("storage-full");
      return failThumbnail(context, toVideo(row), "The storage was full", facts);
    case "reserved":
  }
  const [placeholder, visibility] = await Promise.all([placeholderOf(context, jpeg), findVisibility(context, row)]);
  if (visibility === undefined) {
    // The reservation ends, too.
    await settle(context, row);
    return;
  }
  await context.files.put(keyAs(thumbnailKey(row.accountId, versionOf(row.objectKey)), visibility), jpeg, {
    httpMetadata: { contentType: "image/jpeg" },
    customMetadata: { ...toFactsMetadata(facts), ...(placeholder && toPlaceholderMetadata(placeholder)) },
  });
  if (await settle(context, row)) countThumbnail("made");
}

/**
 * The visibility may have changed since the row was read, and the bytes may have been replaced. Neither happens between the reservation and
 * the settlement.
 * @returns undefined if the upload does not have these bytes any more
 */
async function findVisibility(context: ThumbnailContext, { accountId, id, objectKey }: Upload) {
  const library = await openLibrary(context, accountId);
  const row = library && (await findUpload(library, accountId, id));
  return row?.objectKey === objectKey ? row.visibility : undefined;
}

/** No thumbnail fails because of its placeholder. */
async function placeholderOf(
  { processor }: Pick<ThumbnailContext, "processor">,
  jpeg: Uint8Array<ArrayBuffer>,
): Promise<Placeholder | undefined> {
  try {
    const answer = await processor.placeholderOf("image/jpeg", jpeg);
    return answer.outcome === "made" ? answer.placeholder : undefined;
  } catch (error) {
    console.error(toLogLine("placeholder.not-made", { sizeBytes: jpeg.length }, error));
    return undefined;
  }
}

/**
 * Makes the account's figures and the row agree with R2.
 * @returns whether there is a thumbnail
 * @throws Error if the object is missing for an unknown reason
 */
async function settle({ meterOf, ...context }: ThumbnailContext, row: Upload): Promise<boolean> {
  const { accountId, id: uploadId, thumbnailError } = row;
  switch (await meterOf(accountId).settleThumbnail(uploadId, row.objectKey)) {
    case "counted":
      // If this fails, the video's own message is delivered again and repeats this step.
      await requestModeration(context, { accountId, uploadId });
      return true;
    case "gone":
      await endGone(context, row);
      return false;
    case "missing":
      if (thumbnailError === null) throw new Error("The thumbnail is missing");
      return false;
  }
}

/** The upload was deleted, its account erased or its bytes replaced, so a stored thumbnail is removed, too. */
async function endGone(
  { files }: Pick<Services, "files">,
  { accountId, objectKey }: Pick<Upload, "accountId" | "objectKey">,
): Promise<void> {
  const version = versionOf(objectKey);
  await files.delete(everyKey(thumbnailKey(accountId, version)));
  countThumbnail("gone");
  console.debug(toLogLine("thumbnail.video-gone", { accountId, version }));
}
