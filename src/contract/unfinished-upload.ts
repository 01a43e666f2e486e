import { z } from "@hono/zod-openapi";
import { NextPageSchema } from "./query-parameters.ts";
import { UploadResultSchema } from "./upload-result.ts";

/** A resumable upload until its last byte arrives. */
export const UnfinishedUploadSchema = z
  .object({
    _id: z.string().openapi({ description: "Id of the upload" }),
    filename: z.string(),
    state: z.literal("receiving"),
    offset: z.number().int().openapi({ description: "Received bytes" }),
    length: z.number().int().nullable().openapi({ description: "Null until the client declares it" }),
    createdAt: z.string().datetime(),
    expiresAt: z.string().datetime().openapi({ description: "Dropped then unless more bytes arrive" }),
    type: z.literal("unfinished"),
  })
  .openapi("UnfinishedUpload");

export const UnfinishedListSchema = z
  .object({ uploads: z.array(UnfinishedUploadSchema), pagination: NextPageSchema })
  .openapi("UnfinishedUploads");

/** A resumable upload. It has a result after it is stored. */
export const ShownUploadSchema = z
  .discriminatedUnion("type", [UploadResultSchema, UnfinishedUploadSchema])
  .openapi("ResumableUpload");
