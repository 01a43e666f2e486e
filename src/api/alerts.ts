import type { z } from "@hono/zod-openapi";
import { type AlertSchema, AlertsSchema } from "../contract/alert.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { toAlertFacts } from "../services/alerts/alert-facts.ts";
import { listAlerts } from "../services/alerts/list-alerts.ts";
import type { ListedAlert } from "../services/records.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const alerts = createRouter();

alerts.openapi(
  guarded("account", {
    operationId: "listAlerts",
    method: "get",
    path: "/alerts",
    tags: ["alerts"],
    summary: "Usage alerts of the last year, newest first (Pro, Business)",
    description:
      "One alert at 50, 80, 90 and 100 % of the month's operations; only the highest if several are reached at once.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The alerts", AlertsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listAlerts(accountOf(c), c.req.valid("query"));
    return c.json({ alerts: rows.map(toAlertBody), pagination: { nextCursor } }, 200);
  },
);

type AlertBody = z.infer<typeof AlertSchema>;

export function toAlertBody(alert: ListedAlert): AlertBody {
  const deliveryBy = (channel: string) => toDeliveryBody(alert.deliveries.find((each) => each.channel === channel));
  const facts = toAlertFacts(alert);
  return {
    ...facts,
    threshold: facts.threshold as AlertBody["threshold"],
    deliveries: { webhook: deliveryBy("webhook"), email: deliveryBy("email") },
  };
}

function toDeliveryBody(delivery: ListedAlert["deliveries"][number] | undefined): AlertBody["deliveries"]["webhook"] {
  if (delivery === undefined) return null;
  const { state, attempts, lastAt, nextAt, lastStatus, lastError } = delivery;
  return {
    state,
    attempts,
    lastAttemptAt: toTime(lastAt),
    nextAttemptAt: toTime(nextAt),
    status: lastStatus,
    error: lastError,
  };
}

/** ISO 8601, or null. */
export function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
