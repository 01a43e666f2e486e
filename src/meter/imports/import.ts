import type { AccountSettings } from "../../domain/account-settings.ts";
import type { Shard } from "../../domain/ids.ts";
import type { Importer, ImportItemFacts, ImportItemRef, ItemError, ItemState } from "../../domain/imports.ts";
import type { AccountFigures } from "../books/figures.ts";

/** Arguments and results of the meter's calls about imports. Times are milliseconds since the epoch. */

export interface NewImport {
  readonly id: string;
  readonly importer: Importer;
  readonly items: readonly ImportItemFacts[];
  /** Set if the request has an idempotency key. */
  readonly request?: { readonly key: string; readonly fingerprint: string };
}

/** `repeated`: an earlier request with the idempotency key has created `id`. `reused`: that request had other items. */
export type ImportCreation =
  | { readonly outcome: "created" | "repeated"; readonly id: string }
  | { readonly outcome: "reused" | "too-many" | "refused" };

export interface StoredItem extends ImportItemFacts {
  readonly number: number;
  readonly state: ItemState;
  readonly attempts: number;
  /** Set if the item is done. */
  readonly uploadId: string | null;
  /** Why the item failed; of an item that is still open, why its last attempt failed. `ItemError` as JSON. */
  readonly error: string | null;
}

/** An attempt of an item, which has the lease until `endImportItem`. */
export interface BegunItem extends ImportItemRef {
  readonly facts: ImportItemFacts;
  readonly importer: Importer;
  /** The id of the upload, as which the item is stored if this attempt succeeds. */
  readonly uploadId: string;
  /** Whether an earlier attempt has stored bytes of the upload, which this attempt continues. */
  readonly isContinued: boolean;
  readonly account: { readonly figures: AccountFigures; readonly settings: AccountSettings; readonly shard: Shard };
}

/** An attempt as its runner names it. */
export type AttemptRef = Pick<BegunItem, "importId" | "number" | "uploadId">;

/**
 * The end of an attempt. `stored`: its upload is settled. `failed`: no other attempt can succeed. `again`: a later attempt may succeed.
 * `put-off`: the attempt made progress or waited for its turn, and does not count. `vain` is taken from the allowance.
 */
export type AttemptOutcome =
  | { readonly outcome: "stored" }
  | { readonly outcome: "failed" | "again"; readonly error: ItemError; readonly vain: VainWork }
  | { readonly outcome: "put-off"; readonly delayMs: number; readonly vain: VainWork };

/** The cost of an attempt that stored no upload. */
export interface VainWork {
  readonly fetchedBytes: number;
  /** The number of hosts that redirects led to, each of which took a turn. */
  readonly furtherHosts: number;
}

export interface ImportSlice {
  /** Only older imports. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Only the imports of this key. */
  readonly importerId?: string | undefined;
}

export interface ItemSlice {
  /** Only items with a higher number. */
  readonly after?: number | undefined;
  readonly limit: number;
}
