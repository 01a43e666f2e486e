import type { z } from "@hono/zod-openapi";
import type { AlertSchema } from "../../contract/alert.ts";
import { toAlertFacts } from "../../services/alerts/alert-facts.ts";
import type { ListedAlert } from "../../services/records.ts";

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

/** ISO 8601; null where there is none. */
export function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
