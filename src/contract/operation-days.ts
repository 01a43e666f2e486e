import { z } from "@hono/zod-openapi";
import { Day, parameter } from "./query-parameters.ts";

const Parameters = z.object({
  from: parameter(Day.optional()).openapi({
    description: "The first day, UTC; default: 29 days before `to`",
  }),
  to: parameter(Day.optional()).openapi({ description: "The last day, UTC; default: today" }),
});

export const OperationDaysQuery = Parameters.refine(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ["from"], message: "Must not be after `to`" },
);

export const OperationDaysSchema = z
  .object({
    days: z
      .array(
        z.object({
          date: z.string().openapi({ format: "date", description: "UTC" }),
          classA: z.number().openapi({ description: "Uploads and deletions" }),
          classB: z.number().openapi({ description: "Views, a tenth each" }),
          operations: z.number().openapi({ description: "The sum of both" }),
        }),
      )
      .openapi({ description: "Oldest first, without gaps" }),
  })
  .openapi("OperationDays");
