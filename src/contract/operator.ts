import { z } from "@hono/zod-openapi";
import { EmailField } from "./account.ts";
import { NextPageSchema, operatorPageOf, operatorPaging, parameter } from "./query-parameters.ts";
import { exactText } from "./text.ts";

/** Each resent message holds up to 128 KB. */
const MAX_LETTERS = 20;

const intent = {
  id: z.string().openapi({ example: "delete:01arz3ndektsv4rrffq69g5fav" }),
  kind: z.string().openapi({ example: "delete" }),
  attempts: z.number().int().openapi({ description: "Failed replays" }),
};

export const OverdueIntentsSchema = z
  .object({
    intents: z.array(
      z.object({
        accountId: z.string(),
        ...intent,
        failedAt: z.string().datetime().openapi({ description: "When its first replay failed" }),
        nextAt: z.string().datetime().openapi({ description: "When the next replay is due" }),
        reason: z.string(),
      }),
    ),
    ...operatorPaging(),
  })
  .openapi("OverdueIntents");

export const AccountIntentsSchema = z
  .object({
    accountId: z.string(),
    intents: z.array(
      z.object({
        ...intent,
        dueAt: z.string().datetime().openapi({ description: "When it is replayed unless it is settled before" }),
        reason: z.string().nullable().openapi({ description: "Why its last replay failed" }),
      }),
    ),
    pagination: NextPageSchema,
  })
  .openapi("AccountIntents");

export const RetryIntentBody = z
  .strictObject({ accountId: exactText({ max: 64 }), id: exactText({ max: 200 }) })
  .openapi("IntentRetry");

export const RetriedIntentSchema = z
  .object({
    outcome: z.enum(["done", "failed", "under-way", "gone"]).openapi({
      description: "`done`: settled, or continuing automatically. `under-way`: not due yet. `gone`: no longer exists.",
    }),
    reason: z.string().optional(),
  })
  .openapi("RetriedIntent");

export const DeadLettersSchema = z
  .object({
    letters: z.array(
      z.object({
        id: z.string(),
        queue: z.string(),
        type: z.string(),
        state: z.string().openapi({ description: "`retrying`, or `given-up`: not retried automatically" }),
        attempts: z.number().int(),
        failedAt: z.string().datetime().openapi({ description: "Its first failure in the dead-letter queue" }),
        nextAt: z.string().datetime().nullable(),
        reason: z.string(),
      }),
    ),
    ...operatorPaging(),
  })
  .openapi("DeadLetters");

export const LettersBody = z
  .strictObject({
    ids: z
      .array(exactText({ max: 64 }))
      .min(1)
      .max(MAX_LETTERS),
  })
  .openapi("DeadLetterIds");

export const LettersChangedSchema = z.object({ letters: z.number().int() }).openapi("ChangedDeadLetters");

export const FailedThumbnailsQuery = z.object({
  email: parameter(EmailField.optional()).openapi({
    type: "string",
    description: "Only this account; default: every account",
  }),
  ...operatorPageOf(),
});

export const FailedThumbnailsSchema = z
  .object({
    thumbnails: z.array(z.object({ accountId: z.string(), uploadId: z.string(), reason: z.string() })),
    ...operatorPaging(),
  })
  .openapi("FailedThumbnails");
