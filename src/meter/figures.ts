import type { TierName } from "../domain/tiers.ts";

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
