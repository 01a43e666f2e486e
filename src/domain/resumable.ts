import { DAY_MS, MINUTE_MS } from "./calendar.ts";
import { PART_BYTES } from "./parts.ts";
import type { TierName } from "./tiers.ts";

/** Limits of resumable uploads (UP-4, UP-12), shared by the client, the Worker and the account's meter. */

/** Parts of the largest upload. The remaining part numbers are for parts that are skipped when another writer takes over. */
const MAX_PARTS = 9_000;
export const MAX_RESUMABLE_BYTES = MAX_PARTS * PART_BYTES;
/** Unfinished uploads of an account (UP-12). */
export const MAX_UNFINISHED = 100;
/**
 * Bytes of `Upload-Metadata` as sent: the longest `alt` and `metadata` (EDIT-1), a name and tags. An answer to `HEAD` repeats them, and Node's
 * clients read at most 16 KB of headers.
 */
export const MAX_METADATA_BYTES = 12 * 1024;
/** Requests a minute to unfinished uploads (LIM-7). */
export const PIECES_PER_MINUTE: Readonly<Record<TierName, number>> = {
  free: 120,
  starter: 240,
  pro: 600,
  business: 1000,
};
/** Unfinished uploads that receive bytes at the same time. */
export const MAX_WRITERS: Readonly<Record<TierName, number>> = { free: 10, starter: 20, pro: 50, business: 100 };
/** A piece of at most this size is a drop. One call and one row of the account's object add it to the bytes before it. */
export const DROP_BYTES = 64 * 1024;
/**
 * The time between two answers to an account's drops. A client that sends tiny pieces is slowed down but not refused. A month of them costs
 * less than $5.
 */
export const DROP_EVERY_MS = 1100;
/** A drop that would wait longer is refused (429). */
export const MAX_DROP_WAIT_MS = 10_000;

/** The time after the last byte when an unfinished upload frees the storage that it reserved beyond its bytes. */
export const IDLE_MS = 15 * MINUTE_MS;
/** The time for which the service remembers a finished upload, for clients that did not receive the last answer. */
export const FINISHED_MS = 10 * MINUTE_MS;
/** The time after its last byte when an unfinished upload expires (UP-12). */
const EXPIRES_AFTER_MS = DAY_MS;
/**
 * The time after its creation when an unfinished upload expires at the latest (UP-12), because R2 drops a multipart upload after seven
 * days.
 */
const MAX_AGE_MS = 6 * DAY_MS;

/** The time at which an unfinished upload expires if no more bytes arrive. */
export function expiresAt({
  createdAt,
  touchedAt,
}: {
  readonly createdAt: number;
  readonly touchedAt: number;
}): number {
  return Math.min(touchedAt + EXPIRES_AFTER_MS, createdAt + MAX_AGE_MS);
}
