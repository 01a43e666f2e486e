import { z } from "@hono/zod-openapi";
import { TIER_NAMES } from "../domain/tiers.ts";
import { AccountSchema, EmailField } from "./account.ts";
import { ReasonField, SuspensionSchema } from "./operator-actions.ts";
import { continuation, NextPageSchema, operatorPaging, pageOf, parameter } from "./query-parameters.ts";

export const EmailParam = z.object({
  email: EmailField.openapi({
    param: { name: "email", in: "path" },
    description: "The account's address",
    example: "person@example.com",
  }),
});

export const AccountIdParam = z.object({
  accountId: z
    .string()
    .max(26)
    .openapi({ param: { name: "accountId", in: "path" }, description: "The account's id" }),
});

const ShardField = z.string().length(2).openapi({ description: "Two digits", example: "01" });

export const ShardParam = z.object({ shard: ShardField.openapi({ param: { name: "shard", in: "path" } }) });

export const ShardBody = z
  .strictObject({ open: z.boolean().openapi({ description: "Whether new accounts are placed in it" }) })
  .openapi("ShardChange");

export const ShardsSchema = z
  .object({
    shards: z.array(
      z.object({
        shard: z.string(),
        open: z.boolean(),
        bound: z.boolean().openapi({ description: "False if this deployment has no binding for it" }),
        accounts: z.number().int(),
        uploads: z.number().int(),
        storedBytes: z.number().int().openapi({ description: "Size of the files, without thumbnails" }),
        databaseBytes: z.number().int().openapi({ description: "Size of the database; D1 allows 10 GB" }),
      }),
    ),
    pagination: NextPageSchema,
  })
  .openapi("Shards");

export const MoveBody = z.strictObject({ shard: ShardField }).openapi("AccountMove");

export const MoveProgressSchema = z
  .object({
    outcome: z.enum(["moved", "moving", "busy", "unchanged"]).openapi({
      description:
        "`moving`: call again to continue. `busy`: uploads in progress did not end in time, and nothing was moved. `unchanged`: the copy failed and was given up.",
    }),
    uploads: z.number().int().optional().openapi({ description: "Uploads in progress, if `busy`" }),
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
      .openapi({ description: "Validity in days; default 30" }),
    show: z.boolean().optional().openapi({ description: "The answer has the link, and no mail is sent" }),
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

export const NewInvitationSchema = InvitationSchema.extend({
  sent: z.boolean().openapi({ description: "Whether the link was mailed to the address" }),
  code: z.string().nullable().openapi({ description: "Shown only once; null if it was mailed" }),
  url: z.string().nullable().openapi({ description: "The link of the registration page with the code" }),
}).openapi("NewInvitation");

export const InvitationsSchema = z
  .object({
    invitations: z.array(InvitationSchema),
    ...operatorPaging(),
  })
  .openapi("Invitations");

/** The longest e-mail. */
const MAX_SEARCH_CHARACTERS = 254;

export const AccountsQuery = z.object({
  ...pageOf(),
  q: parameter(z.string().trim().toLowerCase().max(MAX_SEARCH_CHARACTERS).optional()).openapi({
    type: "string",
    maxLength: MAX_SEARCH_CHARACTERS,
    description: "The beginning of an e-mail, or an account's id",
    example: "person@",
  }),
});

export const ListedAccountSchema = AccountSchema.extend({
  emailVerified: z.boolean(),
  operator: z.boolean().openapi({ description: "Whether it has the operator's mark" }),
  shard: z.string().openapi({ description: "The shard of its library" }),
}).openapi("ListedAccount");

export const ListedAccountsSchema = z
  .object({ accounts: z.array(ListedAccountSchema), pagination: NextPageSchema })
  .openapi("ListedAccounts");

export const OperatorMarkBody = z
  .strictObject({
    reason: ReasonField,
    accountId: z.string().max(26).optional().openapi({
      description: "The account's id, from its owner; needed while the account's e-mail is not verified",
    }),
  })
  .openapi("OperatorMark", { example: { reason: "Works the reports" } });

export const AdminAccountSchema = ListedAccountSchema.extend({
  operations: z.object({ used: z.number(), limit: z.number(), resetAt: z.string().datetime() }),
  storage: z.object({ used: z.number().int(), limit: z.number().int() }),
  suspension: SuspensionSchema.nullable(),
}).openapi("AdminAccount");

export const TierBody = z
  .strictObject({
    tier: z.enum(TIER_NAMES),
    accountId: z.string().max(26).optional().openapi({
      description: "The account's id, from its owner. An upgrade needs it while the account's e-mail is not verified",
    }),
  })
  .openapi("TierChange", { example: { tier: "pro" } });

export const TierChangedSchema = AccountSchema.extend({ uploadKey: z.string().optional() }).openapi("ChangedTier");

export const UpdatedSchemaSchema = z
  .object({
    databases: z.array(
      z.object({
        database: z.string().openapi({ description: "The name of its binding", example: "LIBRARY_00" }),
        applied: z.array(z.string()).openapi({ description: "Migrations that this call applied" }),
      }),
    ),
    version: z.string().openapi({ description: "Id of the Worker version that answered" }),
  })
  .openapi("UpdatedSchema");

export const RetryThumbnailsBody = z
  .strictObject({
    email: EmailField.optional().openapi({ description: "Only this account; default: every account" }),
    ...continuation(),
  })
  .openapi("RetryThumbnails");

export const RetriedThumbnailsSchema = z
  .object({
    announced: z.number().int().openapi({ description: "Videos that this call announced" }),
    ...operatorPaging(),
  })
  .openapi("RetriedThumbnails");

export const PlaceholdersBody = z
  .strictObject({
    email: EmailField.optional().openapi({ description: "Only this account; default: every account" }),
    ...continuation(),
  })
  .openapi("PlaceholderOrder");

export const OrderedPlaceholdersSchema = z
  .object({
    announced: z.number().int().openapi({ description: "Uploads that this call announced" }),
    ...operatorPaging(),
  })
  .openapi("OrderedPlaceholders");
