import { z } from "@hono/zod-openapi";
import { MAX_TAG_CHARACTERS, MAX_TAGS, readTags } from "../domain/tags.ts";
import { EXAMPLE_ID, folderField, IdsField } from "./common.ts";

const FolderField = folderField("A folder's id; null, or `root`, is Root");

/** Tags as they are kept: trimmed, in NFC, each once. */
const TagsField = z
  .array(z.string())
  .transform((given, { addIssue }) => {
    const { tags, problem } = readTags(given);
    if (problem !== undefined) addIssue({ code: "custom", message: problem });
    return tags;
  })
  .openapi({
    type: "array",
    maxItems: MAX_TAGS,
    items: { type: "string", maxLength: MAX_TAG_CHARACTERS, pattern: "^[^,\\p{Cc}\\p{Cs}]*$" },
  });

export const ImageChangeBody = z
  .strictObject({ folderId: FolderField, tags: TagsField, favorite: z.boolean() })
  .partial()
  .openapi("ImageChange", { example: { tags: ["holiday"], favorite: true } });

export const BulkChangeBody = z
  .strictObject({
    ids: IdsField,
    folderId: FolderField.optional(),
    addTags: TagsField.optional(),
    removeTags: TagsField.optional(),
    favorite: z.boolean().optional(),
  })
  .openapi("BulkChange", { example: { ids: [EXAMPLE_ID], addTags: ["holiday"], folderId: null } });
