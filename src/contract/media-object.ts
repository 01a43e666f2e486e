import { z } from "@hono/zod-openapi";
import { NO_THUMBNAIL_REASONS } from "../domain/no-thumbnail.ts";
import { UPLOAD_STATUSES } from "../domain/upload-status.ts";
import { VISIBILITIES } from "../domain/visibility.ts";
import { EXAMPLE_URL } from "./common.ts";
import { hashFields } from "./sha256.ts";
import { factFields } from "./upload-facts.ts";

export const SizeSchema = z
  .object({ width: z.number().int(), height: z.number().int() })
  .openapi("Size", { description: "Pixels as displayed; 0 while unknown" });

/** Who may open the file by its plain URL (PRIV-1). */
export const VisibilitySchema = z
  .enum(VISIBILITIES)
  .openapi({ description: "`public`: everyone opens the URL. `private`: only signed URLs open the file" });

/** The fields of a placeholder, which a page shows until the image is loaded (PLACE-1). */
export const placeholderFields = {
  thumbHash: z.string().nullable().openapi({
    description:
      "The ThumbHash of the image, or of the video's thumbnail, in base64; null while it is not made, or if it cannot be made",
    example: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
  }),
  dominantColor: z.string().nullable().openapi({
    description: "The most frequent colour, `#rrggbb`; null with `thumbHash`, and for a picture without visible pixels",
    example: "#4a7ebf",
  }),
};

/** An item of a listing (MED-1). */
export const MediaObjectSchema = z
  .object({
    _id: z.string(),
    url: z.string(),
    downloadUrl: z.string().openapi({
      description: "Has browsers save the file under `originalFilename`",
      example: `${EXAMPLE_URL}?download=1`,
    }),
    thumbnailUrl: z.string().nullable().openapi({ description: "Videos only; null if it could not be made" }),
    mimeType: z.string(),
    prompt: z.string().openapi({ description: "The original file name" }),
    modelName: z.string().openapi({ description: "The file size, for people" }),
    size: SizeSchema,
    ...placeholderFields,
    createdAt: z.string().datetime(),
    type: z.literal("upload"),
    filename: z.string(),
    originalFilename: z
      .string()
      .openapi({ description: "The file's name as uploaded, or as changed since; also in `prompt`" }),
    fileSize: z.number().int(),
    ...hashFields,
    originalFileSize: z.number().int(),
    compressed: z.boolean(),
    compressionQuality: z.number().int().optional().openapi({ description: "Only if `compressed` is true" }),
    durationMs: z.number().int().nullable().openapi({ description: "Videos only; null while unknown" }),
    thumbnail: z
      .enum(["pending", "ready", "failed", "none"])
      .nullable()
      .openapi({ description: "State of a video's thumbnail; `none`: the video has no picture; null for images" }),
    thumbnailReason: z.enum(NO_THUMBNAIL_REASONS).optional().openapi({
      description: "Only with `none`. `no_video`: sound only. `no_frames`: a video track without frames",
    }),
    previewUrl: z.string().nullable().optional().openapi({
      description:
        "Sessions only: the image's preview or the video's thumbnail, uncounted; the same for a UTC day; null while a video has none",
    }),
    viewUrl: z
      .string()
      .optional()
      .openapi({ description: "Sessions only: the file, uncounted, valid for an hour or more" }),
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    favorite: z.boolean(),
    visibility: VisibilitySchema,
    status: z.enum(UPLOAD_STATUSES),
    ...factFields,
    takedown: z.object({ at: z.string().datetime(), reason: z.string() }).optional().openapi({
      description: "Only if the operator took the file down: its URLs answer 451",
    }),
  })
  .openapi("MediaObject");

/** MED-2. */
export const PaginationSchema = z
  .object({
    page: z.number().int(),
    limit: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
    nextCursor: z.string().nullable().openapi({ description: "The next page's `cursor`; null on the last page" }),
  })
  .openapi("Pagination");

export const ImagePageSchema = z.object({ images: z.array(MediaObjectSchema), pagination: PaginationSchema });
