import { z } from "@hono/zod-openapi";
import { EXAMPLE_ID, folderField, TagsField } from "./common.ts";
import { ONE_SELECTION, refuseAmbiguity, SELECTION_FIELDS } from "./selection.ts";

const FolderField = folderField("A folder's id; null or `root` is Root");

export const ImageChangeBody = z
  .strictObject({ folderId: FolderField, tags: TagsField, favorite: z.boolean() })
  .partial()
  .openapi("ImageChange", { example: { tags: ["holiday"], favorite: true } });

export const BulkChangeBody = z
  .strictObject({
    ...SELECTION_FIELDS,
    folderId: FolderField.optional(),
    addTags: TagsField.optional(),
    removeTags: TagsField.optional(),
    favorite: z.boolean().optional(),
  })
  .superRefine(refuseAmbiguity)
  .openapi("BulkChange", { ...ONE_SELECTION, example: { ids: [EXAMPLE_ID], addTags: ["holiday"], folderId: null } });
