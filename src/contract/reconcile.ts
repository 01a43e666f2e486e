import { z } from "@hono/zod-openapi";
import { continuation, operatorPaging } from "./query-parameters.ts";

const KIND_DESCRIPTION = "Kind of difference";

export const FindingSchema = z.object({
  kind: z.string().openapi({ description: KIND_DESCRIPTION, example: "row-lost" }),
  accountId: z.string().nullable().optional(),
  subject: z.string().optional().openapi({ description: "The upload, key, object or count" }),
  detail: z.string().optional(),
  repaired: z.boolean(),
});

export const ReconcileBody = z
  .strictObject({ repair: z.boolean().default(false).openapi({ description: "Whether to repair safe differences" }) })
  .openapi("ReconciliationOrder");

export const ReconcileAccountBody = z
  .strictObject({
    repair: z.boolean().default(false),
    ...continuation(),
  })
  .openapi("AccountReconciliationOrder");

export const ReconciledAccountSchema = z
  .object({
    findings: z.array(FindingSchema),
    ...operatorPaging(),
  })
  .openapi("ReconciledAccount");

const CountsSchema = z.record(z.string(), z.number().int());

const RunSchema = z.object({
  startedAt: z.string().datetime(),
  finishedAt: z.string().datetime().nullable(),
  repair: z.boolean(),
  accounts: z.number().int(),
  postponed: z.number().int().openapi({ description: "Accounts that were being moved or changed" }),
  uploads: z.number().int(),
  objects: z.number().int(),
  found: CountsSchema.openapi({ description: "Differences of each kind" }),
  repaired: CountsSchema,
});

export const ReconciliationSchema = z
  .object({
    current: RunSchema.nullable().openapi({ description: "The run in progress" }),
    last: RunSchema.nullable().openapi({ description: "The last finished run" }),
    findings: z.array(FindingSchema).openapi({
      description: "Findings of the current run, else of the last one; at most 50 of an account, and 1,000 in total",
    }),
  })
  .openapi("Reconciliation");
