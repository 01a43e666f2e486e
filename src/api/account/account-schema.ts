import { z } from "@hono/zod-openapi";
import type { Account } from "../../db/schema.ts";
import { TIER_NAMES } from "../../domain/tiers.ts";

export const AccountSchema = z
  .object({
    _id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    tier: z.enum(TIER_NAMES),
    createdAt: z.string().datetime(),
  })
  .openapi("Account");

export function toAccountBody({ id, email, name, tier, createdAt }: Account): z.infer<typeof AccountSchema> {
  return { _id: id, email, name, tier, createdAt: new Date(createdAt).toISOString() };
}

/** Found again whatever the case it is typed in. */
export const EmailField = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** scrypt takes any length; a megabyte of it nobody needs to hash. */
export const NewPasswordField = z.string().min(8).max(256);
export const PasswordField = z.string().min(1).max(256);
export const NameField = z.string().trim().min(1).max(100);
