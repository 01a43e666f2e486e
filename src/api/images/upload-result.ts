import { z } from "@hono/zod-openapi";
import type { Upload } from "../../db/schema.ts";
import { objectUrl, thumbnailKey } from "../../media/object-key.ts";
import { isVideo } from "../../media/sniff.ts";
import { SizeSchema } from "./media-object.ts";

/** What an upload answers for each stored file (specification, Upload result). */
export const UploadResultSchema = z
  .object({
    _id: z.string(),
    url: z.string(),
    thumbnailUrl: z.string().optional().openapi({ description: "Videos only; there once the thumbnail was made" }),
    filename: z.string(),
    originalFilename: z.string(),
    fileSize: z.number().int().openapi({ description: "Bytes of the stored file; counted against storage" }),
    originalFileSize: z.number().int(),
    compressed: z.boolean(),
    compressionQuality: z.number().int().optional().openapi({ description: "Where compressed" }),
    mimeType: z.string(),
    size: SizeSchema,
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    createdAt: z.string().datetime(),
  })
  .openapi("UploadResult");

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
