import { OverviewSchema } from "../../contract/overview.ts";
import { MAX_FILES } from "../../domain/limits.ts";
import { toOperations } from "../../domain/operations.ts";
import { toPercent } from "../../domain/percent.ts";
import { getOverview as readOverview } from "../../services/usage/get-overview.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("account", {
  operationId: "getOverview",
  method: "get",
  path: "/stats/overview",
  tags: ["stats"],
  summary: "Storage and usage of the account",
  description: "Uploads and deletions count at once, views after about a minute.",
  responses: { 200: jsonResponse("The figures", OverviewSchema) },
});

export const getOverview = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const { figures, files, folders, storedBytes } = await readOverview(account);
  const used = toOperations(figures.operationsUsedTenths);
  return c.json(
    {
      tier: figures.tier,
      storage: {
        used: figures.storageUsedBytes,
        limit: figures.storageLimitBytes,
        percent: toPercent(figures.storageUsedBytes, figures.storageLimitBytes),
        ...storedBytes,
      },
      operations: {
        used,
        limit: figures.operationsLimit,
        percent: toPercent(used, figures.operationsLimit),
        classA: toOperations(figures.operationsUsedTenths - figures.classBTenths),
        classB: toOperations(figures.classBTenths),
        resetAt: new Date(figures.operationsResetAt).toISOString(),
      },
      egress: { bytes: figures.egressBytes },
      rateLimit: { perMinute: account.rate.limit },
      upload: { maxBytes: account.config.maxUploadBytes, maxFiles: MAX_FILES },
      files,
      folders,
    },
    200,
  );
});
