import { secondsUntil } from "../../domain/calendar.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { UploadTokenLimits } from "../../domain/upload-token.ts";
import type { Ledger } from "./ledger.ts";

/** The account's usage, for the usage headers and the statistics (LIM-7). Times are milliseconds since the epoch, sizes bytes. */
export interface AccountFigures {
  readonly tier: TierName;
  readonly operationsUsedTenths: number;
  /** The Class B part of `operationsUsedTenths`: views. */
  readonly classBTenths: number;
  /** Bytes of files that were sent this month. */
  readonly egressBytes: number;
  readonly operationsLimit: number;
  readonly operationsResetAt: number;
  readonly storageUsedBytes: number;
  readonly storageLimitBytes: number;
}

export function accountFigures(ledger: Ledger, now: number): AccountFigures {
  return {
    tier: ledger.tier,
    operationsUsedTenths: ledger.usedTenths(now),
    classBTenths: ledger.classBTenths(now),
    egressBytes: ledger.egressBytes(now),
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

/** The refusal if the month's operations are used up. */
export function exhausted(ledger: Ledger, now: number): Exhausted {
  const figures = accountFigures(ledger, now);
  return {
    outcome: "operations-exhausted",
    retryAfterSeconds: secondsUntil(figures.operationsResetAt, now),
    figures,
  };
}

/** The account no longer exists. */
export interface Refused {
  readonly outcome: "refused";
}

/** The upload token has stored its most files, or its most bytes, with the uploads in progress. */
export interface TokenUsedUp {
  readonly outcome: "token-used-up";
  readonly limit: Partial<Pick<UploadTokenLimits, "maxFiles" | "maxBytes">>;
}

/** The rest of an upload token for one upload. */
export interface TokenRoom {
  readonly limits: UploadTokenLimits;
  readonly files: number;
  readonly bytes: number;
}

export function usedUp({ limits }: TokenRoom, limit: "maxFiles" | "maxBytes"): TokenUsedUp {
  return { outcome: "token-used-up", limit: { [limit]: limits[limit] } };
}

export interface Exhausted {
  readonly outcome: "operations-exhausted";
  readonly retryAfterSeconds: number;
  readonly figures: AccountFigures;
}
