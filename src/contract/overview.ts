import { z } from "@hono/zod-openapi";
import { TIER_NAMES } from "../domain/tiers.ts";

const Percent = z.number().openapi({ description: "Percent of the limit, rounded down to two decimals" });

/** Storage and usage of an account. */
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
          "Bytes of files and video thumbnails, including the trash. `images`, `videos` and `trash` do not overlap",
      }),
    operations: z
      .object({
        used: z.number(),
        limit: z.number().int(),
        percent: Percent,
        classA: z.number().openapi({ description: "Uploads and deletions" }),
        classB: z.number().openapi({ description: "Views, a tenth each; views of the last minute may be missing" }),
        resetAt: z.string().datetime(),
      })
      .openapi({ description: "This month; `classA` and `classB` add up to `used`" }),
    egress: z.object({ bytes: z.number().int() }).openapi({
      description:
        "Bytes of files that were sent since the month began; it ends at `operations.resetAt`. About a minute late. An answer counts in full, also if the client does not read it to its end",
    }),
    rateLimit: z.object({ perMinute: z.number().int() }),
    upload: z.object({
      maxBytes: z.number().int().openapi({ description: "The most bytes of one request; larger files use tus" }),
      maxFiles: z.number().int().openapi({ description: "The most files of one request" }),
    }),
    files: z.object({
      total: z.number().int().openapi({ description: "Active and trashed" }),
      images: z.number().int(),
      videos: z.number().int(),
      trashed: z.number().int(),
      trashedBytes: z.number().int(),
    }),
    folders: z.number().int(),
    variants: z
      .object({
        count: z.number().int(),
        bytes: z.number().int(),
      })
      .nullable()
      .openapi({
        description:
          "Stored sizes and formats of the files. They are not in `storage`, cost nothing, and are deleted with their file. Null if the figures cannot be read now",
      }),
  })
  .openapi("Overview");
