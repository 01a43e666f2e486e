import { z } from "@hono/zod-openapi";
import { TIER_NAMES } from "../domain/tiers.ts";
import { AccountSchema, EmailField } from "./account.ts";

export const EmailParam = z.object({
  email: EmailField.openapi({ param: { name: "email", in: "path" }, example: "person@example.com" }),
});

export const AdminAccountSchema = AccountSchema.extend({
  operations: z.object({ used: z.number(), limit: z.number(), resetAt: z.string().datetime() }),
  storage: z.object({ used: z.number().int(), limit: z.number().int() }),
}).openapi("AdminAccount");

export const TierBody = z.strictObject({ tier: z.enum(TIER_NAMES) }).openapi("TierChange");

export const TierChangedSchema = AccountSchema.extend({ uploadKey: z.string().optional() }).openapi("ChangedTier");

export const UpdatedSchemaSchema = z
  .object({
    applied: z.array(z.string()).openapi({ description: "The migrations that were applied by this call" }),
    version: z.string().openapi({ description: "The id of the Worker version that answered, and knows them" }),
  })
  .openapi("UpdatedSchema");

export const RetryThumbnailsBody = z
  .strictObject({
    email: EmailField.optional().openapi({ description: "Of one account; without it, every account" }),
    after: z.string().max(64).optional().openapi({ description: "The `next` of the answer before" }),
  })
  .openapi("RetryThumbnails");

export const RetriedThumbnailsSchema = z
  .object({
    announced: z.number().int().openapi({ description: "How many videos were announced by this call" }),
    next: z.string().nullable().openapi({ description: "What to send as `after`; null where nothing is left" }),
  })
  .openapi("RetriedThumbnails");
