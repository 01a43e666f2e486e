import { z } from "@hono/zod-openapi";
import { MAX_FILES } from "../domain/limits.ts";
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

export const FailedFileSchema = z
  .object({
    originalFilename: z.string(),
    error: z.string(),
    statusCode: z.number().int(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("FailedFile");

export const BatchSchema = z
  .object({ uploaded: z.array(UploadResultSchema), failed: z.array(FailedFileSchema) })
  .openapi("UploadBatch");

/** One file: its result. Several: all results. */
export const UploadedSchema = z.union([UploadResultSchema, BatchSchema]);

/** The form of an upload. It is read as a stream, so that nothing validates it whole. */
export const UploadForm = z.object({
  file: z
    .array(z.any())
    .min(1)
    .max(MAX_FILES)
    .openapi({ type: "array", items: { type: "string", format: "binary" } }),
  folderId: z.string().optional().openapi({ description: "A folder's id; empty, or `root`, is Root", example: "" }),
  tags: z.string().optional().openapi({ description: "Comma-separated", example: "" }),
});

/** Read by hand: any other header of the kind is a client's own. */
export const UploadHeaders = z.object({
  "Idempotency-Key": z.string().optional().openapi({
    description: "Made for each upload, and sent again with it where its answer was lost",
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
  }),
});

/** The query of an upload whose body is the file itself. It is read by hand, as the body is. */
export const RawUploadQuery = z.object({
  filename: z.string().optional().openapi({ description: "The file's name, if the body is the file itself" }),
  folderId: z
    .string()
    .optional()
    .openapi({ description: "The same as the form's field, if the body is the file itself" }),
  tags: z.string().optional().openapi({ description: "Comma-separated, if the body is the file itself" }),
});
