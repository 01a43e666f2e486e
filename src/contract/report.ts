import { z } from "@hono/zod-openapi";
import { EmailField } from "./account.ts";
import { ReasonField } from "./operator-actions.ts";
import { operatorPageOf, operatorPaging, parameter } from "./query-parameters.ts";
import { exactText, line } from "./text.ts";

/** The longest URL of a report. */
const MAX_URL_CHARACTERS = 2000;
const DECISIONS = ["dismissed", "taken-down", "suspended"] as const;

export const ReportBody = z
  .strictObject({
    url: line({ max: MAX_URL_CHARACTERS }).openapi({ description: "The file's URL" }),
    reason: ReasonField,
    email: EmailField.optional().openapi({ description: "For the operator's questions" }),
    turnstileToken: exactText({ min: 1, max: 2048 }).optional().openapi({
      description: "The widget's token, if `GET /auth/registration` names a `turnstile`",
    }),
  })
  .openapi("NewReport", { example: { url: "https://cdn.example/uploads/a/b-c.png", reason: "Copyright" } });

export const ReportedSchema = z.object({ id: z.string(), message: z.string() }).openapi("FiledReport");

const ReportSchema = z
  .object({
    id: z.string(),
    source: z.enum(["public", "moderation"]),
    url: z.string(),
    accountId: z.string().nullable(),
    uploadId: z.string().nullable(),
    reason: z.string(),
    email: z.string().nullable(),
    createdAt: z.string().datetime(),
    decision: z.enum(DECISIONS).nullable().openapi({ description: "Null while the report is open" }),
    note: z.string().nullable(),
    decidedAt: z.string().datetime().nullable(),
  })
  .openapi("Report");

export const ReportsQuery = z.object({
  ...operatorPageOf(),
  status: parameter(z.enum(["open", "all"]).default("open")).openapi({
    type: "string",
    enum: ["open", "all"],
    default: "open",
    description: "Reports without a decision, or all",
  }),
});

export const ReportsSchema = z
  .object({
    reports: z.array(ReportSchema),
    ...operatorPaging(),
  })
  .openapi("Reports");

export const DecisionBody = z
  .strictObject({ decision: z.enum(DECISIONS), reason: ReasonField })
  .openapi("ReportDecision");

export const DecidedSchema = ReportSchema.openapi("DecidedReport");
