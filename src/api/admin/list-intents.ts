import { AfterQuery, OverdueIntentsSchema } from "../../contract/operator.ts";
import { listOverdueIntents } from "../../services/operator/list-overdue-intents.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "listOverdueIntents",
  method: "get",
  path: "/admin/intents",
  tags: ["operator"],
  summary: "Changes that were begun and could not be finished, of all accounts",
  description:
    "Their accounts' objects go on trying, an hour apart at most. One that is settled goes from the list when its object next looks.",
  request: { query: AfterQuery },
  responses: { 200: jsonResponse("Up to a hundred", OverdueIntentsSchema) },
});

export const listIntents = createRouter().openapi(route, async (c) => {
  const { entries, next } = await listOverdueIntents(c.var.services, c.req.valid("query").after);
  const intents = entries.map(({ accountId, id, kind, attempts, failedAt, nextAt, reason }) => ({
    ...{ accountId, id, kind, attempts, reason },
    failedAt: new Date(failedAt).toISOString(),
    nextAt: new Date(nextAt).toISOString(),
  }));
  return c.json({ intents, next }, 200);
});
