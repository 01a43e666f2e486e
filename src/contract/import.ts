import { z } from "@hono/zod-openapi";
import { ITEM_STATES, MAX_IMPORT_ITEMS } from "../domain/imports.ts";
import { MAX_WEBHOOK_URL_CHARACTERS } from "../domain/webhook-url.ts";
import { ErrorSchema, folderField, TagsField } from "./common.ts";
import { VisibilitySchema } from "./media-object.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { exactText } from "./text.ts";
import { AltField, ExpiresAtField, ExternalIdField, MetadataField } from "./upload-facts.ts";

const MAX_NAME_CHARACTERS = 1024;

/** Nothing but the form is judged here: an item whose source is not allowed fails, and the others do not. */
const URL_PATTERN = "^[hH][tT][tT][pP][sS]?://[^@/?#\\s]+([/?#]\\S*)?$";

const UrlField = exactText({ min: 1, max: MAX_WEBHOOK_URL_CHARACTERS })
  .regex(new RegExp(URL_PATTERN), "Must be an http or https URL without credentials")
  .openapi({ pattern: URL_PATTERN, description: "The source, at a public name" });

const NewItem = z
  .strictObject({
    url: UrlField,
    filename: exactText({ max: MAX_NAME_CHARACTERS })
      .default("")
      .openapi({ description: "Empty: the name that the source gives" }),
    folderId: folderField("null is Root, or the folder of a confined key").optional(),
    tags: TagsField.default([]),
    visibility: VisibilitySchema.optional(),
    externalId: ExternalIdField.optional(),
    alt: AltField.optional(),
    metadata: MetadataField.optional(),
    expiresAt: ExpiresAtField.optional(),
    compress: z
      .boolean()
      .optional()
      .openapi({ description: "Whether an image is compressed, in place of the account's setting" }),
  })
  .openapi("ImportItemRequest");

/** An order to fetch files (IMP-1). */
export const NewImportBody = z
  .strictObject({ items: z.array(NewItem).min(1).max(MAX_IMPORT_ITEMS) })
  .openapi("ImportRequest", {
    example: { items: [{ url: "https://files.example.com/beach.jpg", tags: ["beach"] }] },
  });

export const NewImportSchema = z.object({ _id: z.string() }).openapi("NewImport");

export const ImportSchema = z
  .object({
    _id: z.string(),
    total: z.number().int(),
    counts: z
      .object({
        pending: z.number().int(),
        running: z.number().int(),
        done: z.number().int(),
        failed: z.number().int(),
        cancelled: z.number().int(),
      })
      .openapi({ description: "Items by state" }),
    createdAt: z.string().datetime(),
    stoppedAt: z.string().datetime().nullable().openapi({ description: "When it was stopped; null if it was not" }),
    endedAt: z.string().datetime().nullable().openapi({ description: "null while items are pending or running" }),
  })
  .openapi("Import");

export const ImportItemSchema = z
  .object({
    number: z.number().int().openapi({ description: "Counted from 0, in the order of the request" }),
    url: z.string(),
    state: z.enum(ITEM_STATES),
    attempts: z.number().int(),
    uploadId: z.string().nullable().openapi({ description: "The stored upload, if the state is `done`" }),
    error: ErrorSchema.nullable().openapi({
      description: "Why it failed; while it is pending, why the last attempt failed",
    }),
  })
  .openapi("ImportItem");

export const ImportPageSchema = z.object({ imports: z.array(ImportSchema), pagination: NextPageSchema });

export const ShownImportSchema = ImportSchema.extend({
  items: z.array(ImportItemSchema),
  pagination: NextPageSchema,
}).openapi("ImportWithItems");
