import { NewWebhookSchema, WebhookBody } from "../../contract/alert.ts";
import { putWebhook as setWebhook } from "../../services/webhooks/put-webhook.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "putWebhook",
  method: "put",
  path: "/settings/webhook",
  tags: ["alerts"],
  summary: "Have alerts sent to an address (Pro, Business)",
  description:
    "Messages are signed as Standard Webhooks says, and tried for a day. Each time it is set, the webhook has another secret. Alerts that the one before did not take in the last three days go to the new one.",
  request: { body: jsonBody(WebhookBody) },
  responses: { 200: jsonResponse("The webhook, its secret shown this once", NewWebhookSchema), ...errorResponses(404) },
});

export const putWebhook = createRouter().openapi(route, async (c) => {
  const { url, secret, createdAt } = await setWebhook(accountOf(c), c.req.valid("json").url);
  return c.json({ url, secret, createdAt: new Date(createdAt).toISOString() }, 200);
});
