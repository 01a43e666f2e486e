import { z } from "@hono/zod-openapi";
import { EmailField } from "./account.ts";
import { ListedAccountSchema } from "./admin.ts";
import { ReasonField, SuspensionSchema } from "./operator-actions.ts";
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

/** A report with the file that it is about. */
export const ReportedFileSchema = z
  .object({
    report: ReportSchema,
    account: ListedAccountSchema.extend({ suspension: SuspensionSchema.nullable() })
      .nullable()
      .openapi({ description: "The file's account; null if the URL is of no file, or the account is gone" }),
    file: z
      .object({
        _id: z.string(),
        originalFilename: z.string(),
        mimeType: z.string(),
        fileSize: z.number().int(),
        size: z.object({ width: z.number().int().nullable(), height: z.number().int().nullable() }),
        createdAt: z.string().datetime(),
        visibility: z.enum(["public", "private"]),
        previewUrl: z.string().nullable().openapi({ description: "A small picture; null if the file has none yet" }),
        viewUrl: z.string().nullable().openapi({ description: "The file itself, valid for an hour" }),
        takedown: z.object({ at: z.string().datetime(), reason: z.string() }).nullable(),
      })
      .nullable(),
  })
  .openapi("ReportedFile");
