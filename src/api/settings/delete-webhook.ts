import { MessageSchema } from "../../contract/common.ts";
import { deleteWebhook as removeWebhook } from "../../services/webhooks/delete-webhook.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "deleteWebhook",
  method: "delete",
  path: "/settings/webhook",
  tags: ["alerts"],
  summary: "Have alerts sent nowhere (Pro, Business)",
  responses: { 200: jsonResponse("There is no webhook", MessageSchema) },
});

export const deleteWebhook = createRouter().openapi(route, async (c) => {
  await removeWebhook(accountOf(c));
  return c.json({ message: "There is no webhook" }, 200);
});
