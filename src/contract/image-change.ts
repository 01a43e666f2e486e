import { z } from "@hono/zod-openapi";
import { folderField, TagsField } from "./common.ts";
import { selecting } from "./selection.ts";

const FolderField = folderField("A folder's id; null or `root` is Root");

export const ImageChangeBody = z
  .strictObject({ folderId: FolderField, tags: TagsField, favorite: z.boolean() })
  .partial()
  .openapi("ImageChange", { example: { tags: ["holiday"], favorite: true } });

export const BulkChangeBody = selecting(
  "BulkChange",
  {
    folderId: FolderField.optional(),
    addTags: TagsField.optional(),
    removeTags: TagsField.optional(),
    favorite: z.boolean().optional(),
  },
  { addTags: ["holiday"], folderId: null },
);
