import type { AccountSettings } from "../../domain/account-settings.ts";
import type { Shard } from "../../domain/ids.ts";
import type { AccountFigures, Refused } from "../books/figures.ts";
import type { StoredUploadToken } from "../books/upload-token-store.ts";
import type { RateFigures } from "../request-limits.ts";

/**
 * `limited`: the minute's requests are used up. `operations-exhausted`: the month's operations are used up as well, so that an operation
 * need not be tried again before the month ends. `suspended`: the operator has stopped the account; the request counted. `refused`: the
 * account no longer exists, the credential is not valid any more, or its kind does not fit the tier. `expired`: the key has expired.
 */
export type Admission =
  | ({ readonly outcome: "admitted" } & AccountFacts)
  | ({ readonly outcome: "limited" | "operations-exhausted"; readonly retryAfterSeconds: number } & AccountFacts)
  | ({ readonly outcome: "suspended"; readonly reason: string } & AccountFacts)
  | { readonly outcome: "expired" }
  | Refused;

/** The account's facts for a request. The admission returns them, so that no request reads them from D1. */
interface AccountFacts {
  readonly rate: RateFigures;
  readonly figures: AccountFigures;
  readonly settings: AccountSettings;
  readonly shard: Shard;
  /** The time of the last proof that the session's user is the owner; 0 for a key. */
  readonly provedAt: number;
  /** The upload token of the request. */
  readonly token?: StoredUploadToken;
  /** Whether the request has to announce changes of uploads that only D1 has (`services/events/record-changes.ts`). */
  readonly wantsChanges?: true;
}

/** `isNewDevice`: the account has devices, and this one has never logged in. */
export type SessionOpening =
  | { readonly outcome: "opened"; readonly isNewDevice: boolean }
  | { readonly outcome: "suspended"; readonly reason: string }
  | Refused;

/** `erased`: R2 and D1 have nothing of the account, and nothing can be written any more. */
export type Erasure = { readonly outcome: "erasing" } | { readonly outcome: "erased"; readonly erasedAt: number };
