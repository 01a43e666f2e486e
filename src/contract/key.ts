import { z } from "@hono/zod-openapi";
import { SCOPES } from "../domain/principal.ts";
import { KEY_KINDS } from "../domain/tiers.ts";
import { line } from "./text.ts";

const ScopesField = z.array(z.enum(SCOPES)).max(SCOPES.length);

export const KeySchema = z
  .object({
    _id: z.string(),
    kind: z.enum(KEY_KINDS),
    name: z.string(),
    lastFour: z.string().openapi({ description: "How the key ends" }),
    scopes: ScopesField,
    createdAt: z.string().datetime(),
    lastUsedAt: z.string().datetime().nullable(),
  })
  .openapi("Key");

export const KeyListSchema = z.object({ keys: z.array(KeySchema) });

/** A key as it is made: the only time that it is shown. */
export const NewKeySchema = KeySchema.extend({ key: z.string() }).openapi("NewKey");

export const NewKeyBody = z
  .strictObject({ name: line({ max: 100 }), scopes: ScopesField.default([]) })
  .openapi("KeyRequest");
