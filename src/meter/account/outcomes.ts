import type { AccountSettings } from "../../domain/account-settings.ts";
import type { Shard } from "../../domain/shard.ts";
import type { AccountFigures, Refused } from "../books/figures.ts";
import type { RateFigures } from "../request-limits.ts";

/**
 * `limited`: the minute's requests are used up. `operations-exhausted`: they are, and the month's operations as well, so
 * that an operation need not be tried again before the month ends. `suspended`: the operator has stopped the account;
 * the request counted. `refused`: the account is no more, the credential no longer lives, or it is not of the tier's
 * kind. `expired`: the key's time is over.
 */
export type Admission =
  | ({ readonly outcome: "admitted" } & AccountFacts)
  | ({ readonly outcome: "limited" | "operations-exhausted"; readonly retryAfterSeconds: number } & AccountFacts)
  | ({ readonly outcome: "suspended"; readonly reason: string } & AccountFacts)
  | { readonly outcome: "expired" }
  | Refused;

/** The account's facts for a request. They come with the admission, so that no request reads them from D1. */
interface AccountFacts {
  readonly rate: RateFigures;
  readonly figures: AccountFigures;
  readonly settings: AccountSettings;
  readonly shard: Shard;
  /** When the session's user last proved to be the owner; 0 for a key. */
  readonly provedAt: number;
}

/** `isNewDevice`: the account has devices, and this one has never logged in. */
export type SessionOpening =
  | { readonly outcome: "opened"; readonly isNewDevice: boolean }
  | { readonly outcome: "suspended"; readonly reason: string }
  | Refused;

/** `erased`: nothing of the account is in R2 and D1, and nothing can come any more. */
export type Erasure = { readonly outcome: "erasing" } | { readonly outcome: "erased"; readonly erasedAt: number };
