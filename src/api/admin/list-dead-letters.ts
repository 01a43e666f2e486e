import { AfterQuery, DeadLettersSchema } from "../../contract/operator.ts";
import { listDeadLetters as list } from "../../services/operator/list-dead-letters.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "listDeadLetters",
  method: "get",
  path: "/admin/dead-letters",
  tags: ["operator"],
  summary: "Messages that the dead-letter queues could not deliver either",
  description: "They are tried again for three and a half days; what is given up then is kept here.",
  request: { query: AfterQuery },
  responses: { 200: jsonResponse("Up to a hundred, the oldest first", DeadLettersSchema) },
});

export const listDeadLetters = createRouter().openapi(route, async (c) => {
  const { entries, next } = await list(c.var.services, c.req.valid("query").after);
  const letters = entries.map(({ id, queue, type, state, attempts, failedAt, nextAt, reason }) => ({
    ...{ id, queue, type, state, attempts, reason },
    failedAt: new Date(failedAt).toISOString(),
    nextAt: nextAt === null ? null : new Date(nextAt).toISOString(),
  }));
  return c.json({ letters, next }, 200);
});
