import { z } from "@hono/zod-openapi";
import { MAX_IDS } from "../domain/limits.ts";
import { exactText } from "./text.ts";

/** The body of every error (specification, Errors). */
export const ErrorSchema = z
  .object({
    error: z.string(),
    statusCode: z.number().int(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("Error");

export const MessageSchema = z.object({ message: z.string() }).openapi("Message");

export const EXAMPLE_ID = "01arz3ndektsv4rrffq69g5fav";

export const IdParam = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" } }) });

export const IdsField = z
  .array(exactText({ max: 64 }))
  .min(1)
  .max(MAX_IDS);
export const IdsBody = z.strictObject({ ids: IdsField }).openapi("Ids", { example: { ids: [EXAMPLE_ID] } });
export const UpdatedSchema = z.object({ updated: z.number().int() }).openapi("Updated");

/** A folder in a body, as lists name it: `root` means null. */
export function folderField(description: string) {
  return z
    .string()
    .transform((id) => (id === "root" ? null : id))
    .nullable()
    .openapi({ description, type: ["string", "null"] });
}
