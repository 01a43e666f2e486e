import { secondsUntil } from "../domain/calendar.ts";
import type { TierName } from "../domain/tiers.ts";
import type { Exhausted } from "./answers.ts";
import type { Ledger } from "./ledger.ts";

/**
 * What an account has used: the usage headers and the statistics are made of it (specification, Limits). Times are
 * milliseconds since the epoch, sizes bytes.
 */
export interface AccountFigures {
  readonly tier: TierName;
  readonly operationsUsedTenths: number;
  /** The part of `operationsUsedTenths` that is of class B: views. */
  readonly classBTenths: number;
  readonly operationsLimit: number;
  readonly operationsResetAt: number;
  readonly storageUsedBytes: number;
  readonly storageLimitBytes: number;
}

/** Where the minute's requests stand; an admission says it of an account or of an address. */
export interface RateFigures {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

export function accountFigures(ledger: Ledger, now: number): AccountFigures {
  return {
    tier: ledger.tier,
    operationsUsedTenths: ledger.usedTenths(now),
    classBTenths: ledger.classBTenths(now),
    operationsLimit: ledger.operationsLimit,
    operationsResetAt: ledger.operationsResetAt(now),
    storageUsedBytes: ledger.storageBytes,
    storageLimitBytes: ledger.storageLimitBytes,
  };
}

/** Whether the month's operations are used up. */
export function isExhausted(ledger: Ledger, now: number): boolean {
  return ledger.usedTenths(now) >= ledger.operationsLimit * 10;
}

/** What is answered where they are. */
export function exhausted(ledger: Ledger, now: number): Exhausted {
  const figures = accountFigures(ledger, now);
  return {
    outcome: "operations-exhausted",
    retryAfterSeconds: secondsUntil(figures.operationsResetAt, now),
    figures,
  };
}
