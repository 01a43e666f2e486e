import { z } from "@hono/zod-openapi";
import { UPLOAD_STATUSES } from "../domain/upload-status.ts";

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
    originalFileSize: z.number().int(),
    compressed: z.boolean(),
    compressionQuality: z.number().int().optional().openapi({ description: "Where `compressed` is true" }),
    durationMs: z.number().int().nullable().openapi({ description: "Videos; null while not known" }),
    thumbnail: z
      .enum(["pending", "ready", "failed"])
      .nullable()
      .openapi({ description: "How far a video's thumbnail is; null for images" }),
    previewUrl: z.string().nullable().optional().openapi({
      description:
        "Sessions only: the image's preview or the video's thumbnail, uncounted, the same through a UTC day; null while a video has none",
    }),
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    favorite: z.boolean(),
    status: z.enum(UPLOAD_STATUSES),
  })
  .openapi("MediaObject");

/** What one item's endpoint answers. */
export const OneMediaObjectSchema = MediaObjectSchema.extend({
  viewUrl: z.string().optional().openapi({ description: "Sessions only: the file, uncounted, for an hour" }),
}).openapi("OneMediaObject");

/** Of every listing (specification, Pagination object). */
export const PaginationSchema = z
  .object({
    page: z.number().int(),
    limit: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
    nextCursor: z.string().nullable().openapi({ description: "For `cursor`; null on the last page" }),
  })
  .openapi("Pagination");

export const ImagePageSchema = z.object({ images: z.array(MediaObjectSchema), pagination: PaginationSchema });
