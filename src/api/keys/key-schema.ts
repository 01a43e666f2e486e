import { z } from "@hono/zod-openapi";
import type { Key } from "../../db/schema.ts";
import { SCOPES } from "../../domain/principal.ts";
import { KEY_KINDS } from "../../domain/tiers.ts";

export const ScopesField = z.array(z.enum(SCOPES)).max(SCOPES.length);

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

/** A key as it is made: the only time that it is shown. */
export const NewKeySchema = KeySchema.extend({ key: z.string() }).openapi("NewKey");

export function toKeyBody(
  { id, kind, name, lastFour, scopes, createdAt }: Key,
  lastUsedAt: number | null,
): z.infer<typeof KeySchema> {
  return {
    _id: id,
    kind,
    name,
    lastFour,
    scopes,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}
