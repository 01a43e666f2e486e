import { z } from "@hono/zod-openapi";
import { MAX_FILES } from "../domain/limits.ts";
import { ErrorCodeSchema } from "./common.ts";
import { placeholderFields, SizeSchema, VisibilitySchema } from "./media-object.ts";
import { hashFields } from "./sha256.ts";
import { factFields } from "./upload-facts.ts";

/** An upload's answer for each stored file (RES-1). */
export const UploadResultSchema = z
  .object({
    _id: z.string(),
    url: z.string(),
    thumbnailUrl: z.string().optional().openapi({ description: "Videos only; a 404 until the thumbnail is made" }),
    filename: z.string(),
    originalFilename: z.string(),
    fileSize: z.number().int().openapi({ description: "Bytes of the stored file; counts as storage" }),
    originalFileSize: z.number().int(),
    compressed: z.boolean(),
    compressionQuality: z.number().int().optional().openapi({ description: "Only if `compressed` is true" }),
    mimeType: z.string(),
    size: SizeSchema,
    ...placeholderFields,
    ...hashFields,
    folderId: z.string().nullable(),
    tags: z.array(z.string()),
    visibility: VisibilitySchema,
    ...factFields,
    createdAt: z.string().datetime(),
    deduplicated: z.literal(true).optional().openapi({
      description: "Only with `dedupe`: the bytes were stored before, and this is that file",
    }),
    type: z.literal("upload"),
  })
  .openapi("UploadResult");

export const FailedFileSchema = z
  .object({
    originalFilename: z.string(),
    error: z.string(),
    statusCode: z.number().int(),
    code: ErrorCodeSchema,
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("FailedFile");

export const BatchSchema = z
  .object({ type: z.literal("batch"), uploaded: z.array(UploadResultSchema), failed: z.array(FailedFileSchema) })
  .openapi("UploadBatch");

/** The result of one file, or all results (UP-5). */
export const UploadedSchema = z
  .discriminatedUnion("type", [UploadResultSchema, BatchSchema])
  .openapi("UploadAnswer", { description: "One file: its result. Several: all results" });

const Dedupe = z.enum(["true", "false"]).optional().openapi({
  description:
    "`true`: if a file with the same bytes is stored, the answer is that file, and nothing is stored or counted",
});

const Compress = z.enum(["true", "false"]).optional().openapi({
  description: "Whether images are compressed, in place of the account's setting. In a form it comes before the files",
});

/** The form of an upload (UP-2), for the description: it is read as a stream and never validated as a whole. */
export const UploadForm = z.object({
  file: z
    .array(z.any())
    .min(1)
    .max(MAX_FILES)
    .openapi({ type: "array", items: { type: "string", format: "binary" }, example: ["(the bytes of photo.jpg)"] }),
  folderId: z.string().optional().openapi({ description: "A folder's id; empty or `root` is Root", example: "root" }),
  tags: z.string().optional().openapi({ description: "Comma-separated", example: "beach,holiday" }),
  visibility: VisibilitySchema.optional().openapi({
    description: "A private file is opened by signed URLs only. Send it before the files",
    example: "public",
  }),
  externalId: z
    .string()
    .optional()
    .openapi({ description: "Your own id of the file, for a request with one file", example: "" }),
  alt: z
    .string()
    .optional()
    .openapi({ description: "A description for people who do not see the picture", example: "" }),
  metadata: z.string().optional().openapi({ description: "Your own facts, a JSON object", example: "" }),
  dedupe: Dedupe,
  compress: Compress,
  expiresAt: z
    .string()
    .optional()
    .openapi({ description: "The time at which the file is deleted (ISO 8601)", example: "" }),
  expiresIn: z.string().optional().openapi({ description: "The same in seconds from now", example: "" }),
});

/** The form of new content (REPL-1), for the description. */
export const ReplacementForm = z.object({
  file: z.any().openapi({ type: "string", format: "binary", example: "(the bytes of photo.jpg)" }),
  compress: Compress,
});

export const ReplaceQuery = z.object({
  filename: z
    .string()
    .optional()
    .openapi({ description: "The file's new name, for a raw body; absent: the name stays", example: "photo.jpg" }),
  compress: Compress,
});

/** The header is read by hand, because other `Idempotency-*` headers belong to the client. */
export const UploadHeaders = z.object({
  "Idempotency-Key": z.string().optional().openapi({
    description: "Create one for each upload, and repeat it if the answer was lost",
    example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
  }),
});

/** The query of a raw upload (UP-3). It is read by hand, like the body. */
export const RawUploadQuery = z.object({
  filename: z.string().optional().openapi({ description: "The file's name, for a raw body" }),
  folderId: z.string().optional().openapi({ description: "The field of a form, for a raw body" }),
  tags: z.string().optional().openapi({ description: "Comma-separated, for a raw body" }),
  visibility: VisibilitySchema.optional().openapi({ description: "The field of a form, for a raw body" }),
  externalId: z.string().optional().openapi({ description: "The field of a form, for a raw body" }),
  alt: z.string().optional().openapi({ description: "The field of a form, for a raw body" }),
  metadata: z.string().optional().openapi({ description: "The field of a form, for a raw body" }),
  dedupe: Dedupe,
  compress: Compress,
  expiresAt: z.string().optional().openapi({ description: "The field of a form, for a raw body" }),
  expiresIn: z.string().optional().openapi({ description: "The field of a form, for a raw body" }),
});
