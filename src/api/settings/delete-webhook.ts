import { MessageSchema } from "../../contract/common.ts";
import { deleteWebhook as removeWebhook } from "../../services/webhooks/webhook.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "deleteWebhook",
  method: "delete",
  path: "/settings/webhook",
  tags: ["alerts"],
  summary: "Remove the webhook (Pro, Business)",
  "x-recent-proof": true,
  responses: { 200: jsonResponse("The webhook was removed", MessageSchema) },
});

export const deleteWebhook = createRouter().openapi(route, async (c) => {
  await removeWebhook(accountOf(c));
  return c.json({ message: "The webhook was removed" }, 200);
});
