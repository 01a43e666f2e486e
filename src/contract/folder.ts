import { z } from "@hono/zod-openapi";
import { MAX_FOLDERS, MAX_PAGE_ITEMS } from "../domain/limits.ts";
import { EXAMPLE_ID, folderField } from "./common.ts";
import { MediaObjectSchema } from "./media-object.ts";
import { NextPageSchema, pageOf, parameter } from "./query-parameters.ts";
import { line, orNull, UNREADABLE } from "./text.ts";

export const FolderSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    parentId: z.string().nullable().openapi({ description: "Null is Root" }),
    icon: z.string().nullable(),
    itemCount: z.number().int().openapi({ description: "Active uploads directly in it" }),
    createdAt: z.string().datetime(),
    updatedAt: z.string().datetime(),
  })
  .openapi("Folder");

export const FolderListQuery = z.object(pageOf(MAX_FOLDERS));

export const FolderListSchema = z.object({ folders: z.array(FolderSchema), pagination: NextPageSchema });

/** The files of each folder in an answer of `GET /folders/newest`. */
export const NEWEST_OF_FOLDER = 4;
/** An answer has no more files than a page of `GET /images`. */
const MAX_NEWEST_FOLDERS = MAX_PAGE_ITEMS / NEWEST_OF_FOLDER;

export const NewestQuery = z.object({
  ids: parameter(
    z
      .string()
      .transform((ids) => [...new Set(ids.split(",").map((id) => id.trim()))].filter((id) => id !== ""))
      .pipe(z.array(z.string()).max(MAX_NEWEST_FOLDERS, `At most ${MAX_NEWEST_FOLDERS} folders`))
      .default([]),
  ).openapi({
    type: "string",
    description: `Ids of at most ${MAX_NEWEST_FOLDERS} folders, comma-separated`,
    example: EXAMPLE_ID,
  }),
});

export const NewestSchema = z
  .object({
    folders: z.array(
      z.object({
        _id: z.string(),
        images: z.array(MediaObjectSchema).openapi({ description: "Newest first; empty for an unknown folder" }),
      }),
    ),
  })
  .openapi("NewestOfFolders");

/** Names are stored in NFC, so that the same name cannot be stored twice in different code points. */
const NameField = line({ max: 100, forbidden: UNREADABLE });
const ParentField = folderField("The parent folder; null or `root` is Root");
const IconField = orNull(line({ max: 64, mayBeEmpty: true, forbidden: UNREADABLE }));

export const NewFolderBody = z
  .strictObject({ name: NameField, parentId: ParentField.default(null), icon: IconField.default(null) })
  .openapi("NewFolder", { example: { name: "Holidays" } });

export const FolderChangeBody = z
  .strictObject({ name: NameField, parentId: ParentField, icon: IconField })
  .partial()
  .openapi("FolderChange", { example: { name: "Holidays" } });

export const FolderDeletedSchema = z.object({
  message: z.string(),
  deletedFolders: z.number().int(),
  movedUploads: z.number().int(),
});
