import { downloadUrl } from "../../domain/download-url.ts";
import { toHumanSize } from "../../domain/human-size.ts";
import { isVideo } from "../../domain/media-types.ts";
import { findNoThumbnailReason, type NoThumbnailReason } from "../../domain/no-thumbnail.ts";
import { objectUrl, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import type { UncountedUrls } from "../previews/preview-urls.ts";
import type { Upload } from "../records.ts";

/**
 * The media object of an upload (MED-1). JSON leaves undefined fields out. V8 adds the fields after a spread one by one, so only the last ones
 * are spread.
 * @param uncounted the uncounted URLs, for sessions
 */
export function toMediaObject(upload: Upload, cdnUrl: string, { previewUrl, viewUrl }: UncountedUrls = {}) {
  const { compressionQuality } = upload;
  const { thumbHash, dominantColor } = placeholderOf(upload);
  const { thumbnail, thumbnailReason } = thumbnailState(upload);
  return {
    _id: upload.id,
    url: objectUrl(cdnUrl, upload.objectKey),
    downloadUrl: downloadUrl(cdnUrl, upload),
    thumbnailUrl:
      isVideo(upload.mimeType) && upload.thumbnailError === null
        ? objectUrl(cdnUrl, thumbnailKey(upload.accountId, versionOf(upload.objectKey)))
        : null,
    mimeType: upload.mimeType,
    prompt: upload.originalFilename,
    modelName: toHumanSize(upload.sizeBytes),
    size: { width: upload.width, height: upload.height },
    thumbHash,
    dominantColor,
    createdAt: new Date(upload.createdAt).toISOString(),
    type: "upload" as const,
    filename: upload.objectKey,
    originalFilename: upload.originalFilename,
    fileSize: upload.sizeBytes,
    sha256: upload.sha256,
    uploadedSha256: upload.uploadedSha256 ?? undefined,
    originalFileSize: upload.originalSizeBytes,
    compressed: compressionQuality !== null,
    compressionQuality: compressionQuality ?? undefined,
    durationMs: upload.durationMs,
    thumbnail,
    thumbnailReason,
    previewUrl,
    viewUrl,
    folderId: upload.folderId,
    tags: upload.tags,
    favorite: upload.favorite,
    visibility: upload.visibility,
    status: upload.status,
    takedown: takedownOf(upload),
    ...factsOf(upload),
  };
}

function placeholderOf({ placeholder }: Upload): { thumbHash: string | null; dominantColor: string | null } {
  return placeholder === null || placeholder === "none" ? { thumbHash: null, dominantColor: null } : placeholder;
}

/** The client's own facts (EDIT-1), and those of the camera (TAKEN-1). */
function factsOf({
  externalId,
  alt,
  metadata,
  focalPoint,
  expiresAt,
  takenAt,
  camera,
  lens,
  exposure,
  location,
}: Upload) {
  return {
    externalId,
    alt,
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
    focalPoint,
    expiresAt: toTime(expiresAt),
    takenAt: toTime(takenAt),
    camera,
    lens,
    exposure,
    location,
  };
}

function hashesOf({ sha256, uploadedSha256 }: Upload): { sha256: string | null; uploadedSha256?: string } {
  return { sha256, ...(uploadedSha256 === null ? {} : { uploadedSha256 }) };
}

function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function takedownOf({ takedown }: Upload): { at: string; reason: string } | undefined {
  return takedown === null ? undefined : { at: new Date(takedown.at).toISOString(), reason: takedown.reason };
}

function thumbnailState({ mimeType, thumbnailError, thumbnailSizeBytes }: Upload): {
  thumbnail: "pending" | "ready" | "failed" | "none" | null;
  thumbnailReason?: NoThumbnailReason;
} {
  if (!isVideo(mimeType)) return { thumbnail: null };
  if (thumbnailSizeBytes !== null) return { thumbnail: "ready" };
  if (thumbnailError === null) return { thumbnail: "pending" };
  const thumbnailReason = findNoThumbnailReason(thumbnailError);
  return thumbnailReason === undefined ? { thumbnail: "failed" } : { thumbnail: "none", thumbnailReason };
}

/** @param isDuplicate whether the upload was stored before, with the same bytes */
export function toUploadResult(upload: Upload, cdnUrl: string, isDuplicate = false) {
  return {
    _id: upload.id,
    url: objectUrl(cdnUrl, upload.objectKey),
    ...(isVideo(upload.mimeType)
      ? { thumbnailUrl: objectUrl(cdnUrl, thumbnailKey(upload.accountId, versionOf(upload.objectKey))) }
      : {}),
    filename: upload.objectKey,
    originalFilename: upload.originalFilename,
    fileSize: upload.sizeBytes,
    ...hashesOf(upload),
    originalFileSize: upload.originalSizeBytes,
    compressed: upload.compressionQuality !== null,
    ...(upload.compressionQuality === null ? {} : { compressionQuality: upload.compressionQuality }),
    mimeType: upload.mimeType,
    size: { width: upload.width, height: upload.height },
    ...placeholderOf(upload),
    folderId: upload.folderId,
    tags: upload.tags,
    visibility: upload.visibility,
    ...factsOf(upload),
    createdAt: new Date(upload.createdAt).toISOString(),
    ...(isDuplicate ? { deduplicated: true as const } : {}),
    type: "upload" as const,
  };
}
