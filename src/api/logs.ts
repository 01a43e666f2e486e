import { LogPageSchema } from "../contract/log-entry.ts";
import { LogQuery } from "../contract/log-query.ts";
import { OPERATIONS, toOperations } from "../domain/allowance.ts";
import { MAX_COUNTED_OPERATIONS } from "../domain/limits.ts";
import { listLogs } from "../services/logs/list-logs.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const logs = createRouter();

logs.openapi(
  guarded("account-of-api-tier", {
    operationId: "listLogs",
    method: "get",
    path: "/logs",
    tags: ["logs"],
    summary: "List operations, newest first",
    description:
      "Each upload, deletion and view of the last 90 days. Parameters combine. " +
      `\`total\` counts up to ${MAX_COUNTED_OPERATIONS.toLocaleString("en")}; \`cursor\` reaches older ones. ` +
      "Pro and Business have it.",
    request: { query: LogQuery },
    responses: { 200: jsonResponse("A page", LogPageSchema) },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const { page, limit } = query;
    const { operations, total, nextCursor } = await listLogs(accountOf(c), query);
    return c.json(
      {
        logs: operations.map(({ id, type, at, resourceId, originalFilename, keyId }) => ({
          _id: id,
          type,
          class: OPERATIONS[type].class,
          weight: toOperations(OPERATIONS[type].weightTenths),
          timestamp: new Date(at).toISOString(),
          resourceId,
          originalFilename,
          keyId,
        })),
        pagination: { page, limit, total, totalPages: Math.ceil(total / limit), nextCursor },
      },
      200,
    );
  },
);
