import { z } from "@hono/zod-openapi";
import { MAX_DELETED } from "../domain/limits.ts";
import { ErrorCodeSchema, EXAMPLE_ID } from "./common.ts";
import { parameter } from "./query-parameters.ts";
import { exactText } from "./text.ts";

/** The status that an upload must have at the moment of its deletion (DEL-6). */
const OnlyFrom = z.literal("trash").optional().openapi({
  description: "Deletes only uploads that are in the trash when they are deleted; by default active ones, too",
});

export const DeleteQuery = z.object({ onlyFrom: parameter(OnlyFrom) });

/** Lower than the limit of other changes: each deletion changes three stores. */
export const BulkDeleteBody = z
  .strictObject({
    ids: z
      .array(exactText({ max: 64 }))
      .min(1)
      .max(MAX_DELETED),
    onlyFrom: OnlyFrom,
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
