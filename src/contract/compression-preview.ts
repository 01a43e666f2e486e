import { z } from "@hono/zod-openapi";
import { integer } from "./query-parameters.ts";
import { MAX_QUALITY, MIN_QUALITY } from "./settings.ts";

/** The form's `quality`, which is text. Without it, the account's quality is used. */
export const QualityText = integer(MIN_QUALITY, MAX_QUALITY);

/** This schema is only a description: the form is read as a stream. */
export const CompressionPreviewForm = z
  .object({
    file: z.string().optional().openapi({ format: "binary", description: "An image of at most 32 MB" }),
    id: z.string().optional().openapi({ description: "An image of the account, instead of `file`" }),
    quality: z
      .number()
      .int()
      .min(MIN_QUALITY)
      .max(MAX_QUALITY)
      .optional()
      .openapi({ description: "Default: the account's" }),
  })
  .openapi("CompressionPreviewForm");
