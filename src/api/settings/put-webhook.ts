import { NewWebhookSchema, WebhookBody } from "../../contract/alert.ts";
import { putWebhook as setWebhook } from "../../services/webhooks/webhook.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "putWebhook",
  method: "put",
  path: "/settings/webhook",
  tags: ["alerts"],
  summary: "Set the webhook for alerts (Pro, Business)",
  description:
    "Messages are signed (Standard Webhooks) and retried for a day. Each call makes a new secret. Undelivered alerts of the last three days go to the new webhook.",
  request: { body: jsonBody(WebhookBody) },
  "x-recent-proof": true,
  responses: {
    200: jsonResponse("The webhook; its secret is shown only once", NewWebhookSchema),
    ...errorResponses(404),
  },
});

export const putWebhook = createRouter().openapi(route, async (c) => {
  const { url, secret, createdAt } = await setWebhook(accountOf(c), c.req.valid("json").url);
  return c.json({ url, secret, createdAt: new Date(createdAt).toISOString() }, 200);
});
