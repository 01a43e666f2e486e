import { DAY_MS } from "./calendar.ts";
import type { ErrorBody } from "./errors.ts";
import type { Principal } from "./principal.ts";
import { MAX_RESUMABLE_BYTES } from "./resumable.ts";
import type { TierName } from "./tiers.ts";
import type { Visibility } from "./visibility.ts";

/** Limits and records of imports: uploads whose bytes the service fetches itself (IMP-1). */

/** Items of one import. */
export const MAX_IMPORT_ITEMS = 1000;
/** The body of a request that creates an import: a thousand items with signed URLs. */
export const MAX_IMPORT_JSON_BYTES = 2 * 1024 * 1024;
/** Imports of an account that have not ended. */
export const MAX_OPEN_IMPORTS = 10;
/** Ended imports that an account keeps, for at most `IMPORT_KEPT_MS`. */
export const MAX_ENDED_IMPORTS = 100;
export const IMPORT_KEPT_MS = 30 * DAY_MS;
/** Items of an account that are fetched at the same time. */
export const MAX_IMPORTING: Readonly<Record<TierName, number>> = { free: 2, starter: 4, pro: 8, business: 16 };
/** Items of all accounts that are fetched from one host at the same time. */
export const MAX_FETCHES_PER_HOST = 8;
/** The size of an item that the account has storage for is limited as in a resumable upload. */
export const MAX_IMPORTED_BYTES = MAX_RESUMABLE_BYTES;
/** Attempts of an item. An attempt that made progress, or waited for its turn, does not count. */
export const MAX_ITEM_ATTEMPTS = 5;

/** The delay after a failed attempt: 10 seconds, 40 seconds, 3 and 11 minutes. @param attempts the attempts that were made, at least 1 */
export function itemDelayMs(attempts: number): number {
  return 10_000 * 4 ** (attempts - 1);
}

export const ITEM_STATES = ["pending", "running", "done", "failed", "cancelled"] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** An item as its client describes it. */
export interface ImportItemFacts {
  readonly url: string;
  /** Null if the source names the file. */
  readonly filename: string | null;
  /** Undefined if the client names none: Root, or the folder of a confined key. */
  readonly folderId?: string | null;
  readonly tags: readonly string[];
  readonly visibility?: Visibility;
  readonly externalId?: string;
  readonly alt?: string;
  /** JSON text of an object. */
  readonly metadata?: string;
  /** ISO 8601. It is judged when the item is stored. */
  readonly expiresAt?: string;
  /** Overrides the account's setting. */
  readonly compress?: boolean;
}

/** The caller that created an import. Its items are uploaded with the caller's rights. */
export type Importer = Exclude<Principal, { readonly kind: "upload-token" }>;

/** An item's place. Numbers begin with 0, in the order of the request. */
export interface ImportItemRef {
  readonly importId: string;
  readonly number: number;
}

/** How an item ended without an upload. */
export type ItemError = ErrorBody;
