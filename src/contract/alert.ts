import { z } from "@hono/zod-openapi";
import { ALERT_THRESHOLDS, DELIVERY_ERRORS, DELIVERY_STATES } from "../domain/alerts.ts";
import { MAX_WEBHOOK_URL_CHARACTERS } from "../domain/webhook-url.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { exactText } from "./text.ts";

const TimeOrNull = z.string().datetime().nullable();
const StatusField = z.number().int().nullable().openapi({ description: "The receiver's status; null: no answer" });
const ErrorField = z
  .enum(DELIVERY_ERRORS)
  .nullable()
  .openapi({ description: "Why the last attempt failed; null if it succeeded. `address`: not public" });

const DeliverySchema = z
  .object({
    state: z.enum(DELIVERY_STATES).openapi({
      description: "`failed`: given up after a day. `pending` without `nextAttemptAt`: waiting for another webhook",
    }),
    attempts: z.number().int(),
    lastAttemptAt: TimeOrNull,
    nextAttemptAt: TimeOrNull,
    status: StatusField,
    error: ErrorField,
  })
  .openapi("AlertDelivery");

export const AlertSchema = z
  .object({
    _id: z.string(),
    threshold: z.union(ALERT_THRESHOLDS.map((threshold) => z.literal(threshold))).openapi({
      type: "integer",
      enum: [...ALERT_THRESHOLDS],
      description: "Percent of the month's operations",
    }),
    percent: z
      .number()
      .openapi({ description: "Used share of the limit when the alert was raised, rounded down to two decimals" }),
    used: z.number(),
    limit: z.number().int(),
    resetAt: z.string().datetime().openapi({ description: "When the alert's month ends" }),
    createdAt: z.string().datetime(),
    deliveries: z
      .object({ webhook: DeliverySchema.nullable(), email: DeliverySchema.nullable() })
      .openapi({ description: "Null: not sent by that channel" }),
  })
  .openapi("Alert");

export const AlertsSchema = z.object({ alerts: z.array(AlertSchema), pagination: NextPageSchema }).openapi("Alerts");

export const WebhookBody = z
  .strictObject({
    url: exactText({ min: 1, max: MAX_WEBHOOK_URL_CHARACTERS }).openapi({
      description: "An https URL on the public internet",
      example: "https://example.com/hooks/media",
    }),
  })
  .openapi("WebhookChange");

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
    disabledAt: TimeOrNull.openapi({
      description: "When its receiver answered 410; nothing is sent until it is set again",
    }),
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
  })
  .openapi("WebhookTest");
