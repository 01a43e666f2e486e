import { OperationDaysQuery, OperationDaysSchema } from "../contract/operation-days.ts";
import { OverviewSchema } from "../contract/overview.ts";
import { toOperations } from "../domain/allowance.ts";
import { toDate } from "../domain/calendar.ts";
import { MAX_FILES } from "../domain/limits.ts";
import { toPercent } from "../domain/percent.ts";
import { getOverview } from "../services/usage/get-overview.ts";
import { listOperationDays } from "../services/usage/list-operation-days.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const stats = createRouter();

stats.openapi(
  guarded("account", {
    operationId: "getOverview",
    method: "get",
    path: "/stats/overview",
    tags: ["stats"],
    summary: "Storage and usage of the account",
    description: "Uploads and deletions count at once, views after about a minute.",
    responses: { 200: jsonResponse("The figures", OverviewSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { figures, files, folders, variants, storedBytes } = await getOverview(account);
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
        variants,
      },
      200,
    );
  },
);

stats.openapi(
  guarded("account", {
    operationId: "listOperationDays",
    method: "get",
    path: "/stats/operations",
    tags: ["stats"],
    summary: "The operations of each day",
    description:
      "The last 90 days; earlier and future days are left out. The days since the month began add up to " +
      "`GET /stats/overview`. A view belongs to the day on which it is counted, about a minute later.",
    request: { query: OperationDaysQuery },
    responses: { 200: jsonResponse("The days", OperationDaysSchema) },
  }),
  async (c) => {
    const { from, to } = c.req.valid("query");
    const days = await listOperationDays(accountOf(c), { from: toTime(from), to: toTime(to) });
    return c.json(
      {
        days: days.map(({ day, classATenths, classBTenths }) => ({
          date: toDate(day),
          classA: toOperations(classATenths),
          classB: toOperations(classBTenths),
          operations: toOperations(classATenths + classBTenths),
        })),
      },
      200,
    );
  },
);

function toTime(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Date.parse(day);
}
