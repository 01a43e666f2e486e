import { WebhookTestSchema } from "../../contract/alert.ts";
import { testWebhook as sendTest } from "../../services/webhooks/webhook.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "testWebhook",
  method: "post",
  path: "/settings/webhook/test",
  tags: ["alerts"],
  summary: "Send a test message to the webhook (Pro, Business)",
  description: "The message has the type `webhook.test`. Ten an hour; the answer may take fifteen seconds.",
  responses: { 200: jsonResponse("The outcome", WebhookTestSchema), ...errorResponses(404) },
});

export const testWebhook = createRouter().openapi(route, async (c) => {
  const { error, status, durationMs } = await sendTest(accountOf(c));
  return c.json({ delivered: error === null, status, error, durationMs }, 200);
});
