import { z } from "@hono/zod-openapi";
import { MAX_DELETED } from "../domain/limits.ts";
import { EXAMPLE_ID } from "./common.ts";
import { exactText } from "./text.ts";

/** Fewer than other changes take: each is a change of three stores. */
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
    failed: z.array(z.object({ _id: z.string(), error: z.string(), statusCode: z.number().int() })).openapi({
      description: "Those that are still there, or never were, with what their own deletion would answer",
    }),
  })
  .openapi("BulkDeleted");
