import { z } from "@hono/zod-openapi";
import { FolderId, Status } from "./list-query.ts";
import { parameter } from "./query-parameters.ts";

export const TimelineQuery = z.object({
  status: Status,
  folderId: FolderId,
  by: parameter(z.enum(["month", "day"]).default("month")).openapi({ description: "The length of a bucket" }),
});

export const TimelineSchema = z
  .object({
    total: z.number().int(),
    buckets: z
      .array(
        z.object({
          key: z.string().openapi({ description: "A month (YYYY-MM) or a day (YYYY-MM-DD), UTC" }),
          count: z.number().int(),
        }),
      )
      .openapi({ description: "Newest first; empty ones are left out" }),
  })
  .openapi("Timeline");
