import { z } from "@hono/zod-openapi";
import { Day, parameter } from "./query-parameters.ts";

const Parameters = z.object({
  from: parameter(Day.optional()).openapi({
    description: "The first day, UTC; 29 days before `to` where it is not given",
  }),
  to: parameter(Day.optional()).openapi({ description: "The last day, UTC; today where it is not given" }),
});

/** The parameters of GET /stats/operations. */
export const OperationDaysQuery = Parameters.refine(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ["from"], message: "Is after `to`" },
);

export const OperationDaysSchema = z
  .object({
    days: z
      .array(
        z.object({
          date: z.string().openapi({ format: "date", description: "UTC" }),
          classA: z.number().openapi({ description: "Uploads and deletions" }),
          classB: z.number().openapi({ description: "Views, which weigh a tenth" }),
          operations: z.number().openapi({ description: "The sum of both" }),
        }),
      )
      .openapi({ description: "The oldest first, without a gap" }),
  })
  .openapi("OperationDays");
