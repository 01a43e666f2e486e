import { z } from "@hono/zod-openapi";
import { Day, parameter } from "./query-parameters.ts";

const Parameters = z.object({
  from: parameter(Day.optional()).openapi({
    description: "The first day, UTC; 29 days before `to` where it is not given",
  }),
  to: parameter(Day.optional()).openapi({ description: "The last day, UTC; today where it is not given" }),
});

/** The parameters of GET /keys/{id}/analytics. */
export const KeyAnalyticsQuery = Parameters.refine(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ["from"], message: "Is after `to`" },
);

const counts = {
  requests: z.number().int().openapi({ description: "Those that were refused, too" }),
  operations: z.number().int().openapi({ description: "Of class A: uploads and deletions" }),
  errors: z.number().int().openapi({ description: "Requests that were answered 4xx or 5xx" }),
};

export const KeyAnalyticsSchema = z
  .object({
    keyId: z.string(),
    total: z.object(counts),
    days: z
      .array(z.object({ date: z.string().openapi({ format: "date", description: "UTC" }), ...counts }))
      .openapi({ description: "The oldest first, without a gap" }),
    endpoints: z
      .array(z.object({ endpoint: z.string().openapi({ example: "GET /images/{id}" }), ...counts }))
      .openapi({ description: "Over all of these days, most requests first; `none` is a path that is not there" }),
  })
  .openapi("KeyAnalytics");
