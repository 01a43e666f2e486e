import type { z } from "@hono/zod-openapi";
import type { AccountSchema } from "../../contract/account.ts";
import type { Account } from "../../services/records.ts";

export function toAccountBody({ id, email, name, tier, createdAt }: Account): z.infer<typeof AccountSchema> {
  return { _id: id, email, name, tier, createdAt: new Date(createdAt).toISOString() };
}
