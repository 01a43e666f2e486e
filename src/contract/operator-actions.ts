import { z } from "@hono/zod-openapi";
import { MAX_REASON_CHARACTERS } from "../domain/operator.ts";
import { EmailField, ErasureSchema } from "./account.ts";
import { operatorPageOf, operatorPaging, parameter } from "./query-parameters.ts";
import { line } from "./text.ts";

/** The operator's actions on accounts, and the log of all actions. */

export const ReasonField = line({ max: MAX_REASON_CHARACTERS });

export const SuspensionBody = z
  .strictObject({
    reason: ReasonField.openapi({ description: "The owner reads it in each 403" }),
    serveFiles: z
      .boolean()
      .default(true)
      .openapi({ description: "`false`: the account's files answer 403 `files_suspended` within a minute" }),
  })
  .openapi("SuspensionOrder", { example: { reason: "Spam" } });

export const SuspensionSchema = z
  .object({ suspendedAt: z.string().datetime(), reason: z.string(), serveFiles: z.boolean() })
  .openapi("Suspension");

/** An action whose reason only the log uses. */
export const ActionBody = z.strictObject({ reason: ReasonField }).openapi("OperatorAction");

export const NewAddressBody = z
  .strictObject({ email: EmailField, reason: ReasonField })
  .openapi("NewAddress", { example: { email: "new@example.com", reason: "Ticket 4711" } });

export const OperatorErasureSchema = ErasureSchema.extend({
  accountId: z.string().openapi({ description: "For `GET /admin/erasures/{accountId}`" }),
}).openapi("OperatorErasure");

export const AuditQuery = z.object({
  ...operatorPageOf(),
  email: parameter(EmailField.optional()).openapi({ type: "string", description: "Only actions on this account" }),
  subject: parameter(z.string().max(100).optional()).openapi({
    type: "string",
    description: "Only actions on this subject",
  }),
});

export const AuditSchema = z
  .object({
    entries: z.array(
      z.object({
        id: z.string(),
        at: z.string().datetime(),
        actor: z.string().openapi({
          description:
            "The header `X-Operator`, `operator`, or `account:` and the id of the account whose session acted",
        }),
        action: z.string().openapi({ description: "The operation's id", example: "suspendAccount" }),
        subject: z.string().nullable().openapi({ description: "An account's id or another thing; never an e-mail" }),
        reason: z.string().nullable().openapi({ description: "The body's `reason`, or the header `X-Reason`" }),
        status: z.number().int().nullable().openapi({ description: "The answer's status; null if it is unknown" }),
      }),
    ),
    ...operatorPaging(),
  })
  .openapi("AuditLog");
