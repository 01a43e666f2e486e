import type { AccountSettings } from "../domain/account-settings.ts";
import type { Shard } from "../domain/shard.ts";
import type { KeyKind } from "../domain/tiers.ts";
import type { AccountFigures, RateFigures } from "./figures.ts";
import type { ClaimedResult } from "./request-claims.ts";

/** What an account's meter is asked for, and what it answers: tagged unions, as an error loses its class on the way. */

export type Credential =
  | { readonly kind: "key"; readonly keyId: string; readonly keyKind: KeyKind }
  | { readonly kind: "session"; readonly sessionId: string };

/**
 * `limited`: the minute's requests are used up. `operations-exhausted`: they are, and the month's operations as well, so
 * that an operation need not be tried again before the month ends. `refused`: the account is no more, the credential no
 * longer lives, or it is not of the tier's kind.
 */
export type Admission =
  | ({ readonly outcome: "admitted" } & AccountFacts)
  | ({ readonly outcome: "limited" | "operations-exhausted"; readonly retryAfterSeconds: number } & AccountFacts)
  | Refused;

/** What a request needs to know of its account; it rides in the admission, so that no request reads it from D1. */
interface AccountFacts {
  readonly rate: RateFigures;
  readonly figures: AccountFigures;
  readonly settings: AccountSettings;
  readonly shard: Shard;
}

/** There is no such account any more. */
export interface Refused {
  readonly outcome: "refused";
}

export interface Exhausted {
  readonly outcome: "operations-exhausted";
  readonly retryAfterSeconds: number;
  readonly figures: AccountFigures;
}

export type Reservation =
  | Refused
  | Exhausted
  | { readonly outcome: "reserved"; readonly reservedBytes: number; readonly figures: AccountFigures }
  | { readonly outcome: "storage-full"; readonly figures: AccountFigures }
  /** The library is on its way to another shard. */
  | { readonly outcome: "moving"; readonly figures: AccountFigures };

/**
 * `claimed`: the request is the caller's to work on. `under-way`: another one works on it. `done`: it was made, with these results.
 * `other-request`: its key was sent with another request.
 */
export type ClaimAnswer =
  | Refused
  | { readonly outcome: "claimed" | "other-request" }
  | { readonly outcome: "under-way"; readonly retryAfterSeconds: number }
  | { readonly outcome: "done"; readonly results: readonly ClaimedResult[] };

/**
 * `reservedBytes` is what the upload has now, in total. `gone`: there is no such upload under way any more. `refused`: nor is there its
 * account.
 */
export type Growth =
  | Refused
  | { readonly outcome: "grown"; readonly reservedBytes: number }
  | { readonly outcome: "storage-full"; readonly figures: AccountFigures }
  | { readonly outcome: "gone" };

export type Deletion = Refused | Exhausted | { readonly outcome: "deleted" | "gone"; readonly figures: AccountFigures };

/** A store failed on the way; the object goes on with it by itself. */
export interface Unfinished {
  readonly outcome: "unfinished";
}

/**
 * `gone`: there is no such upload any more. `unsettled`: it may yet be undone. `counted`: its thumbnail is there already.
 * `storage-reserved`: there would be room, but for what is set aside for others at the moment.
 */
export type ThumbnailReservation = "reserved" | "counted" | "storage-full" | "storage-reserved" | "unsettled" | "gone";

/** `erased`: nothing of the account is in R2 and D1, and nothing can come any more. */
export type Erasure = { readonly outcome: "erasing" } | { readonly outcome: "erased"; readonly erasedAt: number };

/** An intent as the operator sees it: without what it is to change. */
export interface IntentSummary {
  readonly id: string;
  readonly kind: string;
  /** When it is replayed, if it is not settled before. */
  readonly dueAt: number;
  /** Replays that failed. */
  readonly attempts: number;
  /** Why the last of them did. */
  readonly reason: string | null;
}

/** `done`: it is settled, or goes on by itself. `under-way`: its time is not up, and whoever began it may settle it. `gone`: there is none. */
export type IntentRetry =
  | { readonly outcome: "done" | "under-way" | "gone" }
  | { readonly outcome: "failed"; readonly reason: string };

/** `busy`: so many uploads are under way that have to end before; the move was given up. `unchanged`: its copy was wrong, or failed. */
export type MoveProgress =
  | { readonly outcome: "moved" | "moving" | "unchanged" }
  | { readonly outcome: "busy"; readonly uploads: number }
  | Refused;
