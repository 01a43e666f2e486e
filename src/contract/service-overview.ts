import { z } from "@hono/zod-openapi";
import { DependencySchema } from "./health.ts";

const Count = z.number().int().openapi({ example: 12 });

export const ServiceOverviewSchema = z
  .object({
    dependencies: z.array(DependencySchema),
    queues: z.array(
      z.object({
        name: z.string().openapi({ example: "uploads" }),
        messages: Count.openapi({ description: "Waiting messages" }),
        oldestAgeSeconds: z.number().openapi({ example: 3 }),
      }),
    ),
    deadLetters: z.object({ retrying: Count, givenUp: Count }),
    overdueIntents: z.object({ count: Count, oldestAgeSeconds: z.number().openapi({ example: 3 }) }),
    databases: z.array(z.object({ name: z.string().openapi({ example: "library-00" }), bytes: Count })),
    thumbnails: z
      .array(z.object({ outcome: z.string().openapi({ example: "made" }), attempts: Count }))
      .openapi({ description: "Attempts at videos' thumbnails since the installation" }),
    durations: z
      .array(
        z.object({
          seconds: z
            .number()
            .nullable()
            .openapi({ description: "The longest time; null: longer than all others", example: 0.25 }),
          requests: Count,
        }),
      )
      .openapi({ description: "Requests since the installation, by the time of their answer" }),
    hours: z
      .array(
        z.object({
          at: z.string().datetime().openapi({ description: "The hour's start", example: "2026-11-26T12:00:00.000Z" }),
          requests: Count,
          clientErrors: Count.openapi({ description: "Answered 4xx" }),
          serverErrors: Count.openapi({ description: "Answered 5xx" }),
          slow: Count.openapi({ description: "Answered after more than a second" }),
          uploads: Count,
          uploadBytes: Count,
        }),
      )
      .openapi({ description: "The last 14 days, oldest first, at most 336" }),
  })
  .openapi("ServiceOverview");
