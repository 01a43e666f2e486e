import type { AccountBooks } from "../account-books.ts";
import type { IntentRunner } from "../intent-runner.ts";
import type { IntentStores } from "../intent-stores.ts";

/** What an account is compared with, and how. */
export interface Comparison {
  readonly stores: IntentStores;
  readonly books: AccountBooks;
  readonly runner: IntentRunner;
  readonly repair: boolean;
  readonly orphanAgeMs: number;
  /** How many more of them may be deleted. */
  readonly orphans: { left: number };
  /** Of so many uploads, one's entry in the index of names is compared with its names; the others' on other days. */
  readonly searchedEvery: number;
}
