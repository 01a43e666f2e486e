import type { z } from "@hono/zod-openapi";
import type { UploadResultSchema } from "../../contract/upload-result.ts";
import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, thumbnailKey } from "../../domain/object-key.ts";
import type { Upload } from "../../services/records.ts";

export function toUploadResult(upload: Upload, cdnUrl: string): z.infer<typeof UploadResultSchema> {
  return {
    _id: upload.id,
    url: objectUrl(cdnUrl, upload.objectKey),
    ...(isVideo(upload.mimeType) ? { thumbnailUrl: objectUrl(cdnUrl, thumbnailKey(upload.accountId, upload.id)) } : {}),
    filename: upload.objectKey,
    originalFilename: upload.originalFilename,
    fileSize: upload.sizeBytes,
    originalFileSize: upload.originalSizeBytes,
    compressed: upload.compressionQuality !== null,
    ...(upload.compressionQuality === null ? {} : { compressionQuality: upload.compressionQuality }),
    mimeType: upload.mimeType,
    size: { width: upload.width, height: upload.height },
    folderId: upload.folderId,
    tags: upload.tags,
    createdAt: new Date(upload.createdAt).toISOString(),
  };
}
