import { RetriedIntentSchema, RetryIntentBody } from "../../contract/operator.ts";
import { retryIntent as retry } from "../../services/operator/retry-intent.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "retryIntent",
  method: "post",
  path: "/admin/intents/retry",
  tags: ["operator"],
  summary: "Finish or undo an overdue change now",
  request: { body: jsonBody(RetryIntentBody) },
  responses: { 200: jsonResponse("What came of it", RetriedIntentSchema) },
});

export const retryIntent = createRouter().openapi(route, async (c) =>
  c.json(await retry(c.var.services, c.req.valid("json")), 200),
);
