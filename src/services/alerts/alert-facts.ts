import { toOperations } from "../../domain/operations.ts";
import type { Alert } from "../../meter/alert.ts";

/** What an alert says, wherever it is said. */
export interface AlertFacts {
  readonly _id: string;
  readonly threshold: number;
  /** Of the limit when the alert was raised, to two decimals. */
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
  /** When the month ends that it is of, ISO 8601. */
  readonly resetAt: string;
  readonly createdAt: string;
}

export function toAlertFacts({ id, threshold, usedTenths, operationsLimit, monthEndsAt, at }: Alert): AlertFacts {
  const used = toOperations(usedTenths);
  return {
    _id: id,
    threshold,
    percent: Math.round((used / operationsLimit) * 10_000) / 100,
    used,
    limit: operationsLimit,
    resetAt: new Date(monthEndsAt).toISOString(),
    createdAt: new Date(at).toISOString(),
  };
}
