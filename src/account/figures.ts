import type { TierName } from "../domain/tiers.ts";

/** What the seven response headers and the statistics say (specification, Limits). Times in milliseconds since the epoch, sizes in bytes. */
export interface AccountFigures {
  readonly tier: TierName;
  readonly rate: RateFigures;
  readonly operationsUsedTenths: number;
  /** Those of them that are of class B: views. */
  readonly classBTenths: number;
  readonly operationsLimit: number;
  readonly operationsResetAt: number;
  readonly storageUsedBytes: number;
  readonly storageLimitBytes: number;
}

export interface RateFigures {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
