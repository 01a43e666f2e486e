import type { AccountFigures, Exhausted, Refused, TokenUsedUp } from "../books/figures.ts";
import type { ClaimedResult } from "../books/request-claims.ts";

export type Reservation =
  | Refused
  | Exhausted
  | TokenUsedUp
  | { readonly outcome: "reserved"; readonly reservedBytes: number; readonly figures: AccountFigures }
  | { readonly outcome: "storage-full"; readonly figures: AccountFigures }
  /** The account has too many uploads in progress. */
  | { readonly outcome: "too-many"; readonly figures: AccountFigures }
  /** The library is being moved to another shard. */
  | { readonly outcome: "moving"; readonly figures: AccountFigures };

/**
 * `claimed`: the caller carries out the request. `under-way`: another request carries it out. `done`: a request with this key was carried
 * out; this has its content's fingerprint and its results.
 */
export type ClaimAnswer =
  | Refused
  | { readonly outcome: "claimed" }
  | { readonly outcome: "under-way"; readonly retryAfterSeconds: number }
  | { readonly outcome: "done"; readonly results: readonly ClaimedResult[]; readonly fingerprint: string };

/**
 * `reservedBytes` is the upload's total reservation. `gone`: the upload is no longer in progress. `refused`: the account no longer exists.
 */
export type Growth =
  | Refused
  | TokenUsedUp
  | { readonly outcome: "grown"; readonly reservedBytes: number }
  | { readonly outcome: "storage-full"; readonly figures: AccountFigures }
  | { readonly outcome: "gone" };

/** `gone`: the upload no longer exists. `kept`: it is not in the trash, and the deletion is only for uploads in the trash. */
export type Deletion =
  | Refused
  | Exhausted
  | { readonly outcome: "deleted" | "gone" | "kept"; readonly figures: AccountFigures };

/**
 * `deleted`: this request has deleted it. `begun`: this request has begun to delete it. `waiting`: another request is deleting it. `gone`:
 * the folder no longer exists.
 */
export type FolderDeletion = "deleted" | "begun" | "waiting" | "gone";

/** A store failed; the object finishes the work automatically. */
export interface Unfinished {
  readonly outcome: "unfinished";
}

/**
 * `gone`: the upload no longer exists. `unsettled`: the upload may still be undone, or is being restored. `counted`: its thumbnail exists
 * already. `storage-reserved`: other reservations leave too little storage.
 */
export type ThumbnailReservation = "reserved" | "counted" | "storage-full" | "storage-reserved" | "unsettled" | "gone";

/** `missing`: the upload has no thumbnail. `gone`: the upload no longer exists. */
export type ThumbnailSettlement = "counted" | "missing" | "gone";

/** An intent in the operator's listing, without its content. */
export interface IntentSummary {
  readonly id: string;
  readonly kind: string;
  /** The time of its replay, unless it is settled before. */
  readonly dueAt: number;
  /** Failed replays. */
  readonly attempts: number;
  /** The reason of the last failure. */
  readonly reason: string | null;
}

/**
 * `done`: the intent is settled, or continues automatically. `under-way`: it is not due yet, and its request may settle it. `gone`: there
 * is no such intent.
 */
export type IntentRetry =
  | { readonly outcome: "done" | "under-way" | "gone" }
  | { readonly outcome: "failed"; readonly reason: string };

/** `busy`: `uploads` uploads in progress did not end in time, and the move was given up. `unchanged`: the copy was wrong, or failed. */
export type MoveProgress =
  | { readonly outcome: "moved" | "moving" | "unchanged" }
  | { readonly outcome: "busy"; readonly uploads: number }
  | Refused;
