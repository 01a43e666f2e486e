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
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    favorite: z.boolean(),
    status: z.enum(UPLOAD_STATUSES),
  })
  .openapi("MediaObject");

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
