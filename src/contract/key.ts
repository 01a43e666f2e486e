import { z } from "@hono/zod-openapi";
import { SCOPES } from "../domain/principal.ts";
import { KEY_KINDS } from "../domain/tiers.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { exactText, line, nullableTime, UNREADABLE } from "./text.ts";

const ScopesField = z.array(z.enum(SCOPES)).max(SCOPES.length);

export const KeySchema = z
  .object({
    _id: z.string(),
    kind: z.enum(KEY_KINDS),
    name: z.string(),
    lastFour: z.string().openapi({ description: "The key's last four characters" }),
    scopes: ScopesField,
    expiresAt: z.string().datetime().nullable().openapi({ description: "Null if the key does not expire" }),
    folderId: z
      .string()
      .nullable()
      .openapi({ description: "The folder that the key is confined to; null if it is not" }),
    createdAt: z.string().datetime(),
    lastUsedAt: z.string().datetime().nullable(),
  })
  .openapi("Key");

export const KeyListSchema = z.object({ keys: z.array(KeySchema), pagination: NextPageSchema });

/** A new key: `key` is shown only in this answer. */
export const NewKeySchema = KeySchema.extend({ key: z.string() }).openapi("NewKey");

export const NewKeyBody = z
  .strictObject({
    name: line({ max: 100, forbidden: UNREADABLE }),
    scopes: ScopesField.default([]),
    expiresAt: nullableTime("The key is refused from this time on; null: never").default(null),
    folderId: exactText({ max: 64 })
      .nullable()
      .default(null)
      .openapi({
        type: ["string", "null"],
        description: "Confines the key to this folder and the folders below it; null confines it to none",
      }),
  })
  .openapi("KeyRequest");
