/** The tiers (LIM-1). 1 GB is 1,073,741,824 bytes. */

export const BYTES_PER_GB = 1024 ** 3;

export const TIER_NAMES = ["free", "starter", "pro", "business"] as const;
export type TierName = (typeof TIER_NAMES)[number];

export const KEY_KINDS = ["upload", "api"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface Tier {
  readonly keyKind: KeyKind;
  readonly storageBytes: number;
  readonly operationsPerMonth: number;
  readonly requestsPerMinute: number;
}

export const TIERS: Readonly<Record<TierName, Tier>> = {
  free: { keyKind: "upload", storageBytes: 1 * BYTES_PER_GB, operationsPerMonth: 10_000, requestsPerMinute: 60 },
  starter: { keyKind: "upload", storageBytes: 5 * BYTES_PER_GB, operationsPerMonth: 100_000, requestsPerMinute: 120 },
  pro: { keyKind: "api", storageBytes: 10 * BYTES_PER_GB, operationsPerMonth: 1_000_000, requestsPerMinute: 300 },
  business: {
    keyKind: "api",
    storageBytes: 200 * BYTES_PER_GB,
    operationsPerMonth: 5_000_000,
    requestsPerMinute: 1000,
  },
};

/**
 * The most new variants of an account's files that are made a minute in each of Cloudflare's locations. A variant takes a tenth of a second of
 * CPU time. `src/cdn/wrangler.toml` has the same numbers.
 */
export const NEW_VARIANTS_PER_MINUTE: Readonly<Record<TierName, number>> = {
  free: 150,
  starter: 300,
  pro: 600,
  business: 1200,
};

/** The number of an account's files that may arrive at the same time. Each slow file takes about half a minute of an object's call. */
export const MAX_UPLOADS_IN_PROGRESS: Readonly<Record<TierName, number>> = {
  free: 200,
  starter: 500,
  pro: 2000,
  business: 5000,
};
