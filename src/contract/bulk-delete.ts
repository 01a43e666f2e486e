import { z } from "@hono/zod-openapi";
import { MAX_DELETED } from "../domain/limits.ts";
import { ErrorCodeSchema, EXAMPLE_ID } from "./common.ts";
import { exactText } from "./text.ts";

/** Lower than the limit of other changes: each deletion changes three stores. */
export const BulkDeleteBody = z
  .strictObject({
    ids: z
      .array(exactText({ max: 64 }))
      .min(1)
      .max(MAX_DELETED),
  })
  .openapi("BulkDelete", { example: { ids: [EXAMPLE_ID] } });

export const BulkDeletedSchema = z
  .object({
    deleted: z.number().int(),
    failed: z
      .array(z.object({ _id: z.string(), error: z.string(), statusCode: z.number().int(), code: ErrorCodeSchema }))
      .openapi({
        description: "Uploads that were not deleted, each with the error of its own deletion",
      }),
  })
  .openapi("BulkDeleted");
