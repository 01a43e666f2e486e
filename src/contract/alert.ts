import { z } from "@hono/zod-openapi";
import { ALERT_THRESHOLDS, DELIVERY_ERRORS, DELIVERY_STATES } from "../domain/alerts.ts";
import { NextPageSchema } from "./query-parameters.ts";

const TimeOrNull = z.string().datetime().nullable();
const StatusField = z.number().int().nullable().openapi({ description: "The receiver's status; null: no answer" });
const ErrorField = z
  .enum(DELIVERY_ERRORS)
  .nullable()
  .openapi({ description: "Why the last attempt failed; null if it succeeded. `address`: not public" });

const DeliverySchema = z
  .object({
    state: z.enum(DELIVERY_STATES).openapi({
      description:
        "`failed`: given up after days of tries. `pending` without `nextAttemptAt`: waiting for another webhook",
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
