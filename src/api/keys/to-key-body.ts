import type { z } from "@hono/zod-openapi";
import type { KeySchema } from "../../contract/key.ts";
import type { Key } from "../../services/records.ts";

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
