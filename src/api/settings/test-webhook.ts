import { WebhookTestSchema } from "../../contract/alert.ts";
import { testWebhook as sendTest } from "../../services/webhooks/test-webhook.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "testWebhook",
  method: "post",
  path: "/settings/webhook/test",
  tags: ["alerts"],
  summary: "Send a test message to the webhook, and say what it answered (Pro, Business)",
  description: "Of the type `webhook.test`. Ten an hour; an answer may take fifteen seconds.",
  responses: { 200: jsonResponse("What became of it", WebhookTestSchema), ...errorResponses(404) },
});

export const testWebhook = createRouter().openapi(route, async (c) => {
  const { error, status, durationMs } = await sendTest(accountOf(c));
  return c.json({ delivered: error === null, status, error, durationMs }, 200);
});
