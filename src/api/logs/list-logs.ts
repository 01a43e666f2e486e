import { LogPageSchema } from "../../contract/log-entry.ts";
import { LogQuery } from "../../contract/log-query.ts";
import { MAX_COUNTED_OPERATIONS } from "../../domain/limits.ts";
import { OPERATIONS, toOperations } from "../../domain/operations.ts";
import { listLogs as list } from "../../services/logs/list-logs.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { refusePaging } from "../refuse-paging.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api-tier", {
  operationId: "listLogs",
  method: "get",
  path: "/logs",
  tags: ["logs"],
  summary: "List operations, newest first",
  description:
    "Each upload, deletion and view of the last 90 days. All parameters together. " +
    `\`total\` counts up to ${MAX_COUNTED_OPERATIONS.toLocaleString("en")}; what is behind that follows by \`cursor\`. ` +
    "For Pro and Business.",
  request: { query: LogQuery },
  responses: { 200: jsonResponse("A page", LogPageSchema) },
});

export const listLogs = createRouter().openapi(
  route,
  async (c) => {
    const query = c.req.valid("query");
    const { page, limit } = query;
    const { operations, total, nextCursor } = await list(accountOf(c), query);
    return c.json(
      {
        logs: operations.map(({ id, type, at, resourceId, keyId }) => ({
          _id: id,
          type,
          class: OPERATIONS[type].class,
          weight: toOperations(OPERATIONS[type].weightTenths),
          timestamp: new Date(at).toISOString(),
          resourceId,
          keyId,
        })),
        pagination: { page, limit, total, totalPages: Math.ceil(total / limit), nextCursor },
      },
      200,
    );
  },
  refusePaging,
);
