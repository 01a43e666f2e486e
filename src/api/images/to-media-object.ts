import type { z } from "@hono/zod-openapi";
import type { MediaObjectSchema } from "../../contract/media-object.ts";
import { toHumanSize } from "../../domain/human-size.ts";
import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, thumbnailKey } from "../../domain/object-key.ts";
import type { Upload } from "../../services/records.ts";

/** @param previewUrl undefined for keys, which are told of none */
export function toMediaObject(
  upload: Upload,
  cdnUrl: string,
  previewUrl?: string | null,
): z.infer<typeof MediaObjectSchema> {
  const { compressionQuality } = upload;
  return {
    _id: upload.id,
    url: objectUrl(cdnUrl, upload.objectKey),
    thumbnailUrl:
      isVideo(upload.mimeType) && upload.thumbnailError === null
        ? objectUrl(cdnUrl, thumbnailKey(upload.accountId, upload.id))
        : null,
    mimeType: upload.mimeType,
    prompt: upload.originalFilename,
    modelName: toHumanSize(upload.sizeBytes),
    size: { width: upload.width, height: upload.height },
    createdAt: new Date(upload.createdAt).toISOString(),
    type: "upload",
    filename: upload.objectKey,
    fileSize: upload.sizeBytes,
    originalFileSize: upload.originalSizeBytes,
    compressed: compressionQuality !== null,
    ...(compressionQuality === null ? {} : { compressionQuality }),
    durationMs: upload.durationMs,
    thumbnail: thumbnailState(upload),
    ...(previewUrl === undefined ? {} : { previewUrl }),
    folderId: upload.folderId,
    tags: upload.tags,
    favorite: upload.favorite,
    status: upload.status,
  };
}

function thumbnailState({
  mimeType,
  thumbnailError,
  thumbnailSizeBytes,
}: Upload): "pending" | "ready" | "failed" | null {
  if (!isVideo(mimeType)) return null;
  if (thumbnailSizeBytes !== null) return "ready";
  return thumbnailError === null ? "pending" : "failed";
}
