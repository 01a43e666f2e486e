import { WebhookSchema } from "../../contract/alert.ts";
import { findWebhook } from "../../services/webhooks/webhook.ts";
import { accountOf } from "../account-of.ts";
import { toTime } from "../alerts.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "getWebhook",
  method: "get",
  path: "/settings/webhook",
  tags: ["alerts"],
  summary: "The webhook and its last delivery (Pro, Business)",
  responses: { 200: jsonResponse("The webhook", WebhookSchema) },
});

export const getWebhook = createRouter().openapi(route, async (c) => {
  const found = await findWebhook(accountOf(c));
  if (found === undefined) return c.json({ url: null, createdAt: null, disabledAt: null, lastDelivery: null }, 200);
  const { webhook, lastDelivery } = found;
  const { url, createdAt, disabledAt, last } = webhook;
  return c.json(
    {
      url,
      createdAt: toTime(createdAt),
      disabledAt: toTime(disabledAt),
      lastDelivery:
        last === null
          ? null
          : {
              alertId: last.alertId,
              at: new Date(last.at).toISOString(),
              delivered: last.error === null,
              status: last.status,
              error: last.error,
              attempts: lastDelivery?.attempts ?? 0,
              nextAttemptAt: toTime(lastDelivery?.nextAt ?? null),
            },
    },
    200,
  );
});
