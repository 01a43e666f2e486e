import { DAY_MS, MINUTE_MS } from "./calendar.ts";
import { PART_BYTES } from "./parts.ts";

/** The limits of resumable uploads (tus 1.0): words of the client, the Worker and the account's meter. */

/** The parts of the largest upload; the numbers beyond are for those that a takeover skips. */
const MAX_PARTS = 9_000;
export const MAX_RESUMABLE_BYTES = MAX_PARTS * PART_BYTES;
/** Unfinished uploads of an account. */
export const MAX_UNFINISHED = 100;
/** `Upload-Metadata`, as it is sent. */
export const MAX_METADATA_BYTES = 4096;
/** Requests a minute to unfinished uploads, whatever the tier: a client that sends small pieces makes many. */
export const PIECES_PER_MINUTE = 600;

/** So long after its last byte an unfinished upload gives back what it has reserved beyond its bytes. */
export const IDLE_MS = 15 * MINUTE_MS;
/** So long a finished upload is known as one, for clients that did not hear of its end. */
export const FINISHED_MS = 10 * MINUTE_MS;
/** So long after its last byte an unfinished upload is dropped. */
const EXPIRES_AFTER_MS = DAY_MS;
/** So long after its creation at the latest: R2 drops a multipart upload after seven days. */
const MAX_AGE_MS = 6 * DAY_MS;

/** When an unfinished upload is dropped unless bytes come. */
export function expiresAt({
  createdAt,
  touchedAt,
}: {
  readonly createdAt: number;
  readonly touchedAt: number;
}): number {
  return Math.min(touchedAt + EXPIRES_AFTER_MS, createdAt + MAX_AGE_MS);
}
