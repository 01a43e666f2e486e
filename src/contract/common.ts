import { z } from "@hono/zod-openapi";
import { ERROR_CODES } from "../domain/errors.ts";
import { MAX_IDS } from "../domain/limits.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS, readTags } from "../domain/tags.ts";
import { CONTROLS, exactText, without } from "./text.ts";

export const ErrorCodeSchema = z.enum(ERROR_CODES).openapi("ErrorCode", { description: "For programs; stable" });

/** The body of every error (ERR-1). */
export const ErrorSchema = z
  .object({
    error: z.string().openapi({ description: "For people; may change" }),
    statusCode: z.number().int(),
    code: ErrorCodeSchema,
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("ApiError");

export const MessageSchema = z.object({ message: z.string() }).openapi("Message");

export const EXAMPLE_ID = "01arz3ndektsv4rrffq69g5fav";

/** The path and the URL of the example's file. */
export const EXAMPLE_KEY = `uploads/01hzy3k8w2r9v5m7q4t6x1c0bd/${EXAMPLE_ID}-photo.jpg`;
export const EXAMPLE_URL = `https://cdn.example.com/${EXAMPLE_KEY}`;

export const IdParam = z.object({
  id: z
    .string()
    .openapi({ param: { name: "id", in: "path" }, description: "The `_id` of an answer", example: EXAMPLE_ID }),
});

export const IdsField = z
  .array(exactText({ max: 64 }))
  .min(1)
  .max(MAX_IDS);

/** A folder in a body, named as in lists: `root` means null. */
export function folderField(description: string) {
  return z
    .string()
    .transform((id) => (id === "root" ? null : id))
    .nullable()
    .openapi({ description, type: ["string", "null"] });
}

/** Tags as they are stored: trimmed, in NFC, without duplicates. */
export const TagsField = z
  .array(z.string())
  .transform((given, { addIssue }) => {
    const { tags, problem } = readTags(given);
    if (problem !== undefined) addIssue({ code: "custom", message: problem });
    return tags;
  })
  .openapi({
    type: "array",
    maxItems: MAX_TAGS,
    items: { type: "string", maxLength: MAX_TAG_CHARACTERS, pattern: `^${without(`,${CONTROLS}`)}$` },
  });
