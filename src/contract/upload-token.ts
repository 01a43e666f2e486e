import { z } from "@hono/zod-openapi";
import { MAX_TAGS } from "../domain/tags.ts";
import {
  DEFAULT_TOKEN_SECONDS,
  isOrigin,
  MAX_ORIGIN_CHARACTERS,
  MAX_ORIGINS,
  MAX_TOKEN_SECONDS,
  TOKEN_TYPES,
} from "../domain/upload-token.ts";
import { VISIBILITIES } from "../domain/visibility.ts";
import { folderField, TagsField } from "./common.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { ExternalIdField, factFields, MetadataField } from "./upload-facts.ts";

/** A limit of a token; null limits nothing. */
function limit(description: string) {
  return z
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .nullable()
    .openapi({ type: ["integer", "null"], minimum: 1, description });
}

export const MaxFiles = limit("Files that the token may store; null is any number");
export const MaxBytes = limit("Bytes that its files may have together, as they are stored; null is any number");
export const Types = z
  .array(z.enum(TOKEN_TYPES))
  .max(TOKEN_TYPES.length)
  .openapi({ description: "Types of its files; none allows every type" });
const Origins = z
  .array(
    z
      .string()
      .max(MAX_ORIGIN_CHARACTERS)
      .refine(isOrigin, "Must be an origin, such as https://shop.example")
      .openapi({ type: "string", maxLength: MAX_ORIGIN_CHARACTERS, pattern: "^https?://[^/?#]+$" }),
  )
  .max(MAX_ORIGINS)
  .openapi({ description: "Origins of the pages that may use it; none allows every page" });

const Visible = z
  .enum(VISIBILITIES)
  .nullable()
  .openapi({ description: "The visibility of its files; null lets each upload choose" });

/** A new token (TOK-1). Every field may be left out. */
export const NewUploadTokenBody = z
  .strictObject({
    maxFiles: MaxFiles.default(null),
    maxBytes: MaxBytes.default(null),
    types: Types.default([]),
    folderId: folderField("Confines it to this folder and the folders below it; null confines it to none").default(
      null,
    ),
    tags: TagsField.default([]),
    visibility: Visible.default(null),
    origins: Origins.default([]),
    externalId: ExternalIdField.default(null).openapi({ description: "Your own id of its file; needs `maxFiles` 1" }),
    metadata: MetadataField.optional().openapi({ description: "Your own facts about each of its files" }),
    expiresIn: z
      .number()
      .int()
      .min(1)
      .max(MAX_TOKEN_SECONDS)
      .default(DEFAULT_TOKEN_SECONDS)
      .openapi({ description: "Seconds; a token of a key never outlives the key" }),
  })
  .openapi("UploadTokenRequest", { example: { maxFiles: 3, types: ["image/*"], origins: ["https://shop.example"] } });

/** `token` is shown only in this answer. */
export const NewUploadTokenSchema = z
  .object({
    _id: z.string(),
    token: z.string(),
    expiresAt: z.string().datetime(),
    uploadUrl: z.string().openapi({ description: "Send uploads here, with `Authorization: Bearer <token>`" }),
  })
  .openapi("NewUploadToken");

export const UploadTokenSchema = z
  .object({
    _id: z.string(),
    maxFiles: MaxFiles,
    maxBytes: MaxBytes,
    types: Types,
    folderId: z.string().nullable(),
    tags: z.array(z.string()).max(MAX_TAGS),
    visibility: Visible,
    origins: z.array(z.string()),
    externalId: factFields.externalId,
    metadata: factFields.metadata,
    usedFiles: z.number().int().openapi({ description: "Its stored files, also those deleted since" }),
    usedBytes: z.number().int().openapi({ description: "The bytes of these files" }),
    createdAt: z.string().datetime(),
    expiresAt: z.string().datetime(),
  })
  .openapi("UploadToken");

export const UploadTokenPageSchema = z.object({
  uploadTokens: z.array(UploadTokenSchema),
  pagination: NextPageSchema,
});
