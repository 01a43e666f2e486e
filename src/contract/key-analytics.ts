import { z } from "@hono/zod-openapi";
import { Day, parameter } from "./query-parameters.ts";

const Parameters = z.object({
  from: parameter(Day.optional()).openapi({
    description: "The first day, UTC; default: 29 days before `to`",
  }),
  to: parameter(Day.optional()).openapi({ description: "The last day, UTC; default: today" }),
});

export const KeyAnalyticsQuery = Parameters.refine(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ["from"], message: "Must not be after `to`" },
);

const counts = {
  requests: z.number().int().openapi({ description: "Including refused requests" }),
  operations: z.number().int().openapi({ description: "Class A operations: uploads and deletions" }),
  errors: z.number().int().openapi({ description: "Requests answered 4xx or 5xx" }),
};

export const KeyAnalyticsSchema = z
  .object({
    keyId: z.string(),
    total: z.object(counts),
    days: z
      .array(z.object({ date: z.string().openapi({ format: "date", description: "UTC" }), ...counts }))
      .openapi({ description: "Oldest first, without gaps" }),
    endpoints: z
      .array(z.object({ endpoint: z.string().openapi({ example: "GET /images/{id}" }), ...counts }))
      .openapi({ description: "All days together, most requests first; `none`: unknown paths" }),
  })
  .openapi("KeyAnalytics");
