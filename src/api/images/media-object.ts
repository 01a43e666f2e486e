import { z } from "@hono/zod-openapi";
import type { Upload } from "../../db/schema.ts";
import { toHumanSize } from "../../domain/human-size.ts";
import { UPLOAD_STATUSES } from "../../domain/upload-status.ts";
import { objectUrl, thumbnailKey } from "../../media/object-key.ts";
import { isVideo } from "../../media/sniff.ts";

export const SizeSchema = z
  .object({ width: z.number().int(), height: z.number().int() })
  .openapi("Size", { description: "Pixels as displayed; 0 while not known" });

/** An item of a listing (specification, Media object). */
export const MediaObjectSchema = z
  .object({
    _id: z.string(),
    url: z.string(),
    thumbnailUrl: z.string().nullable().openapi({ description: "Videos; null where none could be made" }),
    mimeType: z.string(),
    prompt: z.string().openapi({ description: "The original file name" }),
    modelName: z.string().openapi({ description: "The file size, for people" }),
    size: SizeSchema,
    createdAt: z.string().datetime(),
    type: z.literal("upload"),
    filename: z.string(),
    fileSize: z.number().int(),
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    favorite: z.boolean(),
    status: z.enum(UPLOAD_STATUSES),
  })
  .openapi("MediaObject");

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
