import { z } from "@hono/zod-openapi";
import { folderField, TagsField } from "./common.ts";
import { VisibilitySchema } from "./media-object.ts";
import { selecting } from "./selection.ts";
import { exactText } from "./text.ts";
import { AltField, ExpiresAtField, ExternalIdField, FocalPointField, MetadataField } from "./upload-facts.ts";

const FolderField = folderField("A folder's id; null or `root` is Root");

/** More than any file system allows. Longer names would be cut. */
const MAX_NAME_CHARACTERS = 1024;

export const ImageChangeBody = z
  .strictObject({
    folderId: FolderField,
    tags: TagsField,
    favorite: z.boolean(),
    visibility: VisibilitySchema,
    originalFilename: exactText({ min: 1, max: MAX_NAME_CHARACTERS }).openapi({
      description: "The name in lists, searches and downloads; the URL stays",
    }),
    externalId: ExternalIdField,
    alt: AltField,
    metadata: MetadataField,
    focalPoint: FocalPointField,
    expiresAt: ExpiresAtField,
  })
  .partial()
  .openapi("ImageChange", { example: { tags: ["holiday"], favorite: true, alt: "The beach at noon" } });

const CHANGES = {
  folderId: FolderField.optional(),
  addTags: TagsField.optional(),
  removeTags: TagsField.optional(),
  favorite: z.boolean().optional(),
};
const EXAMPLE = { addTags: ["holiday"], folderId: null };

const BulkChange = selecting("BulkChange", { ...CHANGES, visibility: VisibilitySchema.optional() }, EXAMPLE, [
  { name: "BulkChange", fields: CHANGES, example: EXAMPLE },
  { name: "BulkVisibility", fields: { visibility: VisibilitySchema }, example: { visibility: "private" } },
]);

const OTHERS = ["folderId", "addTags", "removeTags", "favorite"] as const;

/** A change of visibility copies files, so a request covers fewer uploads, and has no other change. */
export const BulkChangeBody = BulkChange.superRefine((given, { addIssue }) => {
  if (given.visibility === undefined) return;
  for (const name of OTHERS) {
    if (given[name] !== undefined) addIssue({ code: "custom", path: [name], message: "Not allowed with `visibility`" });
  }
});
