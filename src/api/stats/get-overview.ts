import { createRoute, z } from "@hono/zod-openapi";
import { toOperations } from "../../domain/operations.ts";
import { TIER_NAMES } from "../../domain/tiers.ts";
import { getOverview as readOverview } from "../../services/usage/get-overview.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";

const Percent = z.number().openapi({ description: "Of the limit, to two decimals" });

const OverviewSchema = z
  .object({
    tier: z.enum(TIER_NAMES),
    storage: z.object({ used: z.number().int(), limit: z.number().int(), percent: Percent }).openapi({
      description: "Bytes: files and video thumbnails, in the trash too",
    }),
    operations: z
      .object({
        used: z.number(),
        limit: z.number().int(),
        percent: Percent,
        classA: z.number().openapi({ description: "Uploads and deletions" }),
        classB: z.number().openapi({ description: "Views, which weigh a tenth" }),
        resetAt: z.string().datetime(),
      })
      .openapi({ description: "This month's; `classA` and `classB` are its parts" }),
    rateLimit: z.object({ perMinute: z.number().int() }),
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

const route = createRoute({
  method: "get",
  path: "/stats/overview",
  tags: ["stats"],
  summary: "What the account stores and has used",
  security: bearer("api"),
  middleware: requireAccess("api"),
  responses: { 200: jsonResponse("The figures", OverviewSchema), ...errorResponses(401, 403) },
});

export const getOverview = createRouter().openapi(route, async (c) => {
  const { figures, files, folders } = await readOverview(accountOf(c));
  const used = toOperations(figures.operationsUsedTenths);
  return c.json(
    {
      tier: figures.tier,
      storage: {
        used: figures.storageUsedBytes,
        limit: figures.storageLimitBytes,
        percent: toPercent(figures.storageUsedBytes, figures.storageLimitBytes),
      },
      operations: {
        used,
        limit: figures.operationsLimit,
        percent: toPercent(used, figures.operationsLimit),
        classA: toOperations(figures.operationsUsedTenths - figures.classBTenths),
        classB: toOperations(figures.classBTenths),
        resetAt: new Date(figures.operationsResetAt).toISOString(),
      },
      rateLimit: { perMinute: figures.rate.limit },
      files,
      folders,
    },
    200,
  );
});

function toPercent(used: number, limit: number): number {
  return Math.round((used / limit) * 10_000) / 100;
}
