import { z } from "@hono/zod-openapi";

export const AliveSchema = z.object({ status: z.literal("ok") });

export const ReadinessSchema = z
  .object({
    status: z.enum(["ready", "degraded"]).openapi({
      description: "`degraded`: what makes thumbnails does not answer, and they are made later",
    }),
    dependencies: z.array(
      z.object({
        name: z.string().openapi({ example: "library-00" }),
        status: z.enum(["up", "down"]),
        ms: z.number().openapi({ description: "How long it took, or was waited for" }),
      }),
    ),
  })
  .openapi("Readiness");
