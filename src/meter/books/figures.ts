import type { TierName } from "../../domain/tiers.ts";
import type { UploadTokenLimits } from "../../domain/upload-token.ts";

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

/** The refusal if the month's operations are used up. */
export interface Exhausted {
  readonly outcome: "operations-exhausted";
  readonly retryAfterSeconds: number;
  readonly figures: AccountFigures;
}
