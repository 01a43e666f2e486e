import { z } from "@hono/zod-openapi";
import { DELIVERY_ERRORS } from "../domain/alerts.ts";
import { DISABLED_REASONS, EVENT_STARTS, EVENT_TYPES, WEBHOOK_NAME, WEBHOOK_STATES } from "../domain/events.ts";
import { MAX_WEBHOOK_URL_CHARACTERS } from "../domain/webhook-url.ts";
import { NextPageSchema, pageOf, parameter } from "./query-parameters.ts";
import { exactText } from "./text.ts";

const TimeOrNull = z.string().datetime().nullable();
const EventTypeField = z.enum(EVENT_TYPES).openapi({ example: "upload.completed" });
const NameField = z.string().regex(WEBHOOK_NAME).openapi({ example: "shop" });
const StatusField = z.number().int().nullable().openapi({ description: "The receiver's status; null: no answer" });
const ErrorField = z
  .enum(DELIVERY_ERRORS)
  .nullable()
  .openapi({ description: "Why the try failed; null if it succeeded. `address`: not public" });

/** EVENT-1. */
const messageFields = {
  type: EventTypeField,
  timestamp: z.string().datetime(),
  data: z.record(z.string(), z.unknown()).openapi({
    description: "The media object as far as known, the import, or the alert",
    example: { _id: "01k9x3v7wz0000000000000000" },
  }),
};

export const EventSchema = z
  .object({ _id: z.string().openapi({ description: "Sent as `webhook-id`" }), ...messageFields })
  .openapi("Event");

export const EventsQuery = z.object({
  ...pageOf(),
  from: parameter(z.enum(EVENT_STARTS).default("oldest")).openapi({
    type: "string",
    enum: [...EVENT_STARTS],
    default: "oldest",
    description:
      "The start of an answer without `cursor`: the oldest event, the last `limit` events, or `now`, which has no events and a `resumeCursor`",
  }),
});

export const EventsSchema = z
  .object({
    events: z.array(EventSchema),
    pagination: NextPageSchema,
    resumeCursor: z
      .string()
      .openapi({ description: "A `cursor` that continues after the last event, also if it is the newest" }),
  })
  .openapi("Events");

export const WebhookParam = z.object({
  name: z.string().openapi({ param: { name: "name", in: "path" }, description: "The webhook's name", example: "shop" }),
});

export const DeliveryParam = WebhookParam.extend({
  id: z.string().openapi({ param: { name: "id", in: "path" }, description: "The delivery's id" }),
});

const UrlField = exactText({ min: 1, max: MAX_WEBHOOK_URL_CHARACTERS }).openapi({
  description: "An https URL on the public internet",
  example: "https://example.com/hooks/media",
});

export const NamedWebhookBody = z
  .strictObject({ url: UrlField, events: z.array(EventTypeField).min(1).max(EVENT_TYPES.length) })
  .openapi("NamedWebhookChange");

const webhookFields = {
  name: NameField,
  url: z.string(),
  events: z.array(EventTypeField),
  createdAt: z.string().datetime(),
  state: z.enum(WEBHOOK_STATES).openapi({ description: "`paused`: the tier has room for fewer webhooks" }),
  disabledAt: TimeOrNull.openapi({ description: "Nothing is sent from then on until the webhook is set again" }),
  disabledReason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .openapi({ description: "`gone`: the receiver answered 410. `failing`: it accepted nothing for three days" }),
  failingSince: TimeOrNull.openapi({ description: "The receiver has accepted nothing since this time" }),
  nextAttemptAt: TimeOrNull.openapi({ description: "When a receiver that was not reached is tried again" }),
};

export const NamedWebhookSchema = z.object(webhookFields).openapi("NamedWebhook");

export const WebhookListSchema = z.object({ webhooks: z.array(NamedWebhookSchema), pagination: NextPageSchema });

export const NewNamedWebhookSchema = z
  .object({
    ...webhookFields,
    secret: z.string().openapi({ description: "Signs the messages (Standard Webhooks); shown only once" }),
  })
  .openapi("NewNamedWebhook");

const deliveryFields = {
  _id: z.string(),
  eventId: z.string().openapi({ description: "The `webhook-id`" }),
  type: EventTypeField,
  at: z.string().datetime(),
  delivered: z.boolean(),
  status: StatusField,
  error: ErrorField,
  durationMs: z.number().int(),
  answer: z.string().openapi({ description: "The first KB of the receiver's answer" }),
};

export const WebhookDeliverySchema = z.object(deliveryFields).openapi("WebhookDelivery");

export const DeliveriesSchema = z.object({
  deliveries: z.array(
    z
      .object({
        ...deliveryFields,
        request: z.object({
          url: z.string(),
          body: z.object(messageFields).nullable().openapi({ description: "Null if the event is older than 30 days" }),
        }),
      })
      .openapi("ListedWebhookDelivery"),
  ),
  pagination: NextPageSchema,
});

/** The webhook of `/settings/webhook`. */
export const WebhookBody = z.strictObject({ url: UrlField }).openapi("WebhookChange");

export const NewWebhookSchema = z
  .object({
    url: z.string(),
    secret: z.string().openapi({ description: "Signs the messages (Standard Webhooks); shown only once" }),
    createdAt: z.string().datetime(),
  })
  .openapi("NewWebhook");

export const WebhookSchema = z
  .object({
    url: z.string().nullable().openapi({ description: "Null: no webhook is set" }),
    createdAt: TimeOrNull,
    disabledAt: TimeOrNull.openapi({ description: "Nothing is sent from then on until the webhook is set again" }),
    lastDelivery: z
      .object({
        alertId: z.string(),
        at: z.string().datetime(),
        delivered: z.boolean(),
        status: StatusField,
        error: ErrorField,
        attempts: z.number().int(),
        nextAttemptAt: TimeOrNull,
      })
      .nullable(),
  })
  .openapi("Webhook");

export const WebhookTestSchema = z
  .object({
    delivered: z.boolean(),
    status: StatusField,
    error: ErrorField,
    durationMs: z.number().int(),
    answer: z.string().openapi({ description: "The first KB of the receiver's answer" }),
  })
  .openapi("WebhookTest");
