import { z } from "@hono/zod-openapi";

export const AliveSchema = z.object({ status: z.literal("ok") });

export const DependencySchema = z.object({
  name: z.string().openapi({ example: "library-00" }),
  status: z.enum(["up", "down"]),
  ms: z.number().openapi({ description: "Time of the check" }),
  ffmpeg: z.string().optional().openapi({
    description: "The media processor's version of ffmpeg, at its last start",
    example: "7.1.2-0+deb13u1",
  }),
});

export const ReadinessSchema = z
  .object({
    status: z.enum(["ready", "degraded"]).openapi({
      description: "`degraded`: the media processor is down; thumbnails are made later",
    }),
    dependencies: z.array(DependencySchema),
  })
  .openapi("Readiness");
