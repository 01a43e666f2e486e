import type { z } from "@hono/zod-openapi";
import type { MediaObjectSchema } from "../../contract/media-object.ts";
import { toHumanSize } from "../../domain/human-size.ts";
import { isVideo } from "../../domain/media-types.ts";
import { objectUrl, thumbnailKey } from "../../domain/object-key.ts";
import type { Upload } from "../../services/records.ts";

export function toMediaObject(upload: Upload, cdnUrl: string): z.infer<typeof MediaObjectSchema> {
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
    folderId: upload.folderId,
    tags: upload.tags,
    favorite: upload.favorite,
    status: upload.status,
  };
}
