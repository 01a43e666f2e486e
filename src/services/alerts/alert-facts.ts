import { toOperations } from "../../domain/allowance.ts";
import { toPercent } from "../../domain/percent.ts";
import type { Alert } from "../../meter/alerts/alert.ts";

/** The content of an alert, the same in the API, webhooks and e-mails. */
export interface AlertFacts {
  readonly _id: string;
  readonly threshold: number;
  /** The used share of the limit when the alert was raised, rounded down to two decimals. */
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
  /** End of the alert's month, ISO 8601. */
  readonly resetAt: string;
  readonly createdAt: string;
}

export function toAlertFacts({ id, threshold, usedTenths, operationsLimit, monthEndsAt, at }: Alert): AlertFacts {
  const used = toOperations(usedTenths);
  return {
    _id: id,
    threshold,
    percent: toPercent(used, operationsLimit),
    used,
    limit: operationsLimit,
    resetAt: new Date(monthEndsAt).toISOString(),
    createdAt: new Date(at).toISOString(),
  };
}
