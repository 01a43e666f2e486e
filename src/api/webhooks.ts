import { MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import {
  DeliveriesSchema,
  DeliveryParam,
  NamedWebhookBody,
  NamedWebhookSchema,
  NewNamedWebhookSchema,
  NewWebhookSchema,
  WebhookBody,
  WebhookDeliverySchema,
  WebhookListSchema,
  WebhookParam,
  WebhookSchema,
  WebhookTestSchema,
} from "../contract/webhook.ts";
import { DEFAULT_WEBHOOK } from "../domain/events.ts";
import type { ListedDelivery, ListedWebhook } from "../services/records.ts";
import { listDeliveries, redeliver } from "../services/webhooks/deliveries.ts";
import {
  deleteAlertWebhook,
  deleteWebhook,
  findAlertWebhook,
  getWebhook,
  listWebhooks,
  putAlertWebhook,
  putWebhook,
  requireAlertTier,
  testWebhook,
  type WebhookTest,
} from "../services/webhooks/webhook.ts";
import { toTime } from "./alerts.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const webhooks = createRouter();

webhooks.openapi(
  guarded("settings", {
    operationId: "listWebhooks",
    method: "get",
    path: "/settings/webhooks",
    tags: ["events"],
    summary: "The webhooks, by name",
    description: "Five on Pro and Business, one on Free and Starter.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The webhooks", WebhookListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listWebhooks(accountOf(c), c.req.valid("query"));
    return c.json({ webhooks: rows.map(toWebhookBody), pagination: { nextCursor } }, 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "getNamedWebhook",
    method: "get",
    path: "/settings/webhooks/{name}",
    tags: ["events"],
    summary: "One webhook and its state",
    description: "The webhook of `/settings/webhook` is named `default`.",
    request: { params: WebhookParam },
    responses: { 200: jsonResponse("The webhook", NamedWebhookSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toWebhookBody(await getWebhook(accountOf(c), c.req.valid("param").name)), 200),
);

webhooks.openapi(
  guarded("settings", {
    operationId: "putNamedWebhook",
    method: "put",
    path: "/settings/webhooks/{name}",
    tags: ["events"],
    summary: "Add or change a webhook",
    description:
      "Messages are signed (Standard Webhooks) and retried for three days. Each call makes a new secret. A new webhook gets events from now on; a disabled webhook also gets the last three days' events.",
    request: { params: WebhookParam, body: jsonBody(NamedWebhookBody) },
    "x-recent-proof": true,
    responses: {
      200: jsonResponse("The webhook; its secret is shown only once", NewNamedWebhookSchema),
      ...errorResponses(404),
    },
  }),
  async (c) => {
    const { webhook, secret } = await putWebhook(accountOf(c), c.req.valid("param").name, c.req.valid("json"));
    return c.json({ ...toWebhookBody(webhook), secret }, 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "deleteNamedWebhook",
    method: "delete",
    path: "/settings/webhooks/{name}",
    tags: ["events"],
    summary: "Remove a webhook and its deliveries",
    description: "Events that it has not accepted are not sent.",
    request: { params: WebhookParam },
    "x-recent-proof": true,
    responses: { 200: jsonResponse("The webhook was removed", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await deleteWebhook(accountOf(c), c.req.valid("param").name);
    return c.json({ message: "The webhook was removed" }, 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "testNamedWebhook",
    method: "post",
    path: "/settings/webhooks/{name}/test",
    tags: ["events"],
    summary: "Send a test message to a webhook",
    description:
      "The message has the type `webhook.test`. Ten tests and redeliveries an hour; the answer may take fifteen seconds.",
    request: { params: WebhookParam },
    responses: { 200: jsonResponse("The outcome", WebhookTestSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toTestBody(await testWebhook(accountOf(c), c.req.valid("param").name)), 200),
);

webhooks.openapi(
  guarded("settings", {
    operationId: "listWebhookDeliveries",
    method: "get",
    path: "/settings/webhooks/{name}/deliveries",
    tags: ["events"],
    summary: "The last 100 tries of a webhook, newest first",
    description: "Each with its request and the first KB of the answer.",
    request: { params: WebhookParam, query: PageQuery },
    responses: { 200: jsonResponse("The deliveries", DeliveriesSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { name } = c.req.valid("param");
    const { rows, nextCursor } = await listDeliveries(accountOf(c), name, c.req.valid("query"));
    const deliveries = rows.map(({ message, ...delivery }) => ({
      ...toDeliveryBody(delivery),
      request: { url: delivery.url, body: message },
    }));
    return c.json({ deliveries, pagination: { nextCursor } }, 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "redeliverEvent",
    method: "post",
    path: "/settings/webhooks/{name}/deliveries/{id}/redeliver",
    tags: ["events"],
    summary: "Send the message of a delivery again",
    description: "The message is sent at once, with the same `webhook-id`. The answer may take fifteen seconds.",
    request: { params: DeliveryParam },
    responses: { 200: jsonResponse("The new delivery", WebhookDeliverySchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { name, id } = c.req.valid("param");
    return c.json(toDeliveryBody(await redeliver(accountOf(c), name, id)), 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "getWebhook",
    method: "get",
    path: "/settings/webhook",
    tags: ["alerts"],
    summary: "The webhook named `default` and the delivery of its last alert (Pro, Business)",
    description: "Every field is null until a webhook is set.",
    responses: { 200: jsonResponse("The webhook", WebhookSchema) },
  }),
  async (c) => {
    const found = await findAlertWebhook(accountOf(c));
    if (found === undefined) return c.json({ url: null, createdAt: null, disabledAt: null, lastDelivery: null }, 200);
    const { webhook, lastDelivery } = found;
    const { url, createdAt, disabledAt, lastAlert } = webhook;
    return c.json(
      {
        url,
        createdAt: toTime(createdAt),
        disabledAt: toTime(disabledAt),
        lastDelivery:
          lastAlert === null
            ? null
            : {
                alertId: lastAlert.alertId,
                at: new Date(lastAlert.at).toISOString(),
                delivered: lastAlert.error === null,
                status: lastAlert.status,
                error: lastAlert.error,
                attempts: lastDelivery?.attempts ?? 0,
                nextAttemptAt: toTime(lastDelivery?.nextAt ?? null),
              },
      },
      200,
    );
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "putWebhook",
    method: "put",
    path: "/settings/webhook",
    tags: ["alerts"],
    summary: "Set the webhook named `default` (Pro, Business)",
    description:
      "A new webhook gets usage alerts; an existing webhook keeps its events. Each call makes a new secret. Undelivered alerts of the last three days go to the new address.",
    request: { body: jsonBody(WebhookBody) },
    "x-recent-proof": true,
    responses: {
      200: jsonResponse("The webhook; its secret is shown only once", NewWebhookSchema),
      ...errorResponses(404),
    },
  }),
  async (c) => {
    const { webhook, secret, createdAt } = await putAlertWebhook(accountOf(c), c.req.valid("json").url);
    return c.json({ url: webhook.url, secret, createdAt: new Date(createdAt).toISOString() }, 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "deleteWebhook",
    method: "delete",
    path: "/settings/webhook",
    tags: ["alerts"],
    summary: "Remove the webhook named `default` (Pro, Business)",
    description: "Alerts are still listed, and mailed if the service sends mail.",
    "x-recent-proof": true,
    responses: { 200: jsonResponse("The webhook was removed", MessageSchema) },
  }),
  async (c) => {
    await deleteAlertWebhook(accountOf(c));
    return c.json({ message: "The webhook was removed" }, 200);
  },
);

webhooks.openapi(
  guarded("settings", {
    operationId: "testWebhook",
    method: "post",
    path: "/settings/webhook/test",
    tags: ["alerts"],
    summary: "Send a test message to the webhook named `default` (Pro, Business)",
    description: "The message has the type `webhook.test`. Ten an hour; the answer may take fifteen seconds.",
    responses: { 200: jsonResponse("The outcome", WebhookTestSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    requireAlertTier(account);
    return c.json(toTestBody(await testWebhook(account, DEFAULT_WEBHOOK)), 200);
  },
);

function toTestBody({ error, ...test }: WebhookTest) {
  return { delivered: error === null, error, ...test };
}

/** A webhook without its secret. */
export function toWebhookBody(webhook: ListedWebhook) {
  const { name, url, events, createdAt, state, disabledAt, disabledReason, failingSince, retryAt } = webhook;
  return {
    name,
    url,
    events: [...events],
    createdAt: new Date(createdAt).toISOString(),
    state,
    disabledReason,
    disabledAt: toTime(disabledAt),
    failingSince: toTime(failingSince),
    nextAttemptAt: state === "active" ? toTime(retryAt) : null,
  };
}

function toDeliveryBody({ id, eventId, type, at, status, error, durationMs, answer }: ListedDelivery) {
  const time = new Date(at).toISOString();
  return { _id: id, eventId, type, at: time, delivered: error === null, status, error, durationMs, answer };
}
