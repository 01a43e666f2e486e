import { z } from "@hono/zod-openapi";
import { TIER_NAMES } from "../domain/tiers.ts";

const Percent = z.number().openapi({ description: "Of the limit, to two decimals" });

/** What an account stores and has used. */
export const OverviewSchema = z
  .object({
    tier: z.enum(TIER_NAMES),
    storage: z
      .object({
        used: z.number().int(),
        limit: z.number().int(),
        percent: Percent,
        images: z.number().int().openapi({ description: "Active images" }),
        videos: z.number().int().openapi({ description: "Active videos, without their thumbnails" }),
        trash: z.number().int().openapi({ description: "Images and videos in the trash" }),
      })
      .openapi({
        description:
          "Bytes: files and video thumbnails, in the trash too. `images`, `videos` and `trash` do not overlap",
      }),
    operations: z
      .object({
        used: z.number(),
        limit: z.number().int(),
        percent: Percent,
        classA: z.number().openapi({ description: "Uploads and deletions" }),
        classB: z
          .number()
          .openapi({ description: "Views, which weigh a tenth; those of the last minute may be missing" }),
        resetAt: z.string().datetime(),
      })
      .openapi({ description: "This month's; `classA` and `classB` are its parts" }),
    rateLimit: z.object({ perMinute: z.number().int() }),
    upload: z.object({
      maxBytes: z.number().int().openapi({ description: "Of one request; larger files come in pieces" }),
      maxFiles: z.number().int().openapi({ description: "Of one request" }),
    }),
    files: z.object({
      total: z.number().int().openapi({ description: "Active and trashed" }),
      images: z.number().int(),
      videos: z.number().int(),
      trashed: z.number().int(),
      trashedBytes: z.number().int(),
    }),
    folders: z.number().int(),
  })
  .openapi("Overview");
