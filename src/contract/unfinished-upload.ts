import { z } from "@hono/zod-openapi";
import { UploadResultSchema } from "./upload-result.ts";

/** An upload that comes in pieces, until the last of them is there. */
export const UnfinishedUploadSchema = z
  .object({
    _id: z.string().openapi({ description: "The upload will have it" }),
    filename: z.string(),
    state: z.literal("receiving"),
    offset: z.number().int().openapi({ description: "Bytes that are there" }),
    length: z.number().int().nullable().openapi({ description: "Null where the client has not said it yet" }),
    createdAt: z.string().datetime(),
    expiresAt: z.string().datetime().openapi({ description: "It is dropped then, unless bytes come" }),
  })
  .openapi("UnfinishedUpload");

export const UnfinishedListSchema = z.object({ uploads: z.array(UnfinishedUploadSchema) }).openapi("UnfinishedUploads");

/** An upload that came in pieces: its result once it is stored. */
export const ShownUploadSchema = z.union([UploadResultSchema, UnfinishedUploadSchema]);
