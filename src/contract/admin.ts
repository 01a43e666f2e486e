import { z } from "@hono/zod-openapi";
import { TIER_NAMES } from "../domain/tiers.ts";
import { AccountSchema, EmailField } from "./account.ts";

export const EmailParam = z.object({
  email: EmailField.openapi({ param: { name: "email", in: "path" }, example: "person@example.com" }),
});

export const AccountIdParam = z.object({
  accountId: z
    .string()
    .max(26)
    .openapi({ param: { name: "accountId", in: "path" } }),
});

const ShardField = z.string().length(2).openapi({ description: "Two digits", example: "01" });

export const ShardParam = z.object({ shard: ShardField.openapi({ param: { name: "shard", in: "path" } }) });

export const ShardBody = z
  .strictObject({ open: z.boolean().openapi({ description: "Whether new accounts' libraries are put into it" }) })
  .openapi("ShardChange");

export const ShardsSchema = z
  .object({
    shards: z.array(
      z.object({
        shard: z.string(),
        open: z.boolean(),
        bound: z.boolean().openapi({ description: "False where this deployment has no binding of its name" }),
        accounts: z.number().int(),
        uploads: z.number().int(),
        storedBytes: z.number().int().openapi({ description: "Of the files, without thumbnails" }),
        databaseBytes: z.number().int().openapi({ description: "Of the database; D1 allows 10 GB" }),
      }),
    ),
  })
  .openapi("Shards");

export const MoveBody = z.strictObject({ shard: ShardField }).openapi("AccountMove");

export const MoveProgressSchema = z
  .object({
    outcome: z.enum(["moved", "moving", "busy", "unchanged"]).openapi({
      description:
        "`moving`: call again to go on. `busy`: uploads under way did not end in time, and nothing was moved. `unchanged`: the copy failed and was given up.",
    }),
    uploads: z.number().int().optional().openapi({ description: "How many are under way, where it is `busy`" }),
  })
  .openapi("MoveProgress");

const MAX_INVITATION_DAYS = 365;

export const InvitationBody = z
  .strictObject({
    days: z
      .number()
      .int()
      .min(1)
      .max(MAX_INVITATION_DAYS)
      .optional()
      .openapi({ description: "How long it is good; 30 where not given" }),
  })
  .openapi("InvitationChange", { example: { days: 7 } });

export const InvitationSchema = z
  .object({
    email: z.string(),
    createdAt: z.string().datetime(),
    expiresAt: z.string().datetime(),
    usedAt: z.string().datetime().nullable().openapi({ description: "When the account was opened" }),
  })
  .openapi("Invitation");

export const InvitationsQuery = z.object({
  after: z
    .string()
    .max(254)
    .optional()
    .openapi({ param: { name: "after", in: "query" }, description: "The `next` of the answer before" }),
});

export const InvitationsSchema = z
  .object({
    invitations: z.array(InvitationSchema),
    next: z.string().nullable().openapi({ description: "What to send as `after`; null where nothing is left" }),
  })
  .openapi("Invitations");

export const AdminAccountSchema = AccountSchema.extend({
  operations: z.object({ used: z.number(), limit: z.number(), resetAt: z.string().datetime() }),
  storage: z.object({ used: z.number().int(), limit: z.number().int() }),
  shard: z.string().openapi({ description: "Where its library is" }),
}).openapi("AdminAccount");

export const TierBody = z.strictObject({ tier: z.enum(TIER_NAMES) }).openapi("TierChange");

export const TierChangedSchema = AccountSchema.extend({ uploadKey: z.string().optional() }).openapi("ChangedTier");

export const UpdatedSchemaSchema = z
  .object({
    databases: z.array(
      z.object({
        database: z.string().openapi({ description: "The name of its binding", example: "LIBRARY_00" }),
        applied: z.array(z.string()).openapi({ description: "The migrations that were applied by this call" }),
      }),
    ),
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
