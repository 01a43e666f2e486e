import { dayOf } from "../../domain/calendar.ts";
import type { AccountTables } from "../account/account-tables.ts";
import type { StoredTakedown } from "../books/takedown-store.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import type { AccountChange } from "../intents/intent.ts";

/** The changes that repair an account. Each has an intent. */
interface ComparisonRunner {
  changeAccount(change: AccountChange, applyHere?: () => void): Promise<boolean>;
  settleThumbnail(uploadId: string, objectKey?: string): Promise<unknown>;
  takeDownAgain(takedown: StoredTakedown): Promise<boolean>;
}

/** The settings of one account's comparison, and its dependencies. */
export interface Comparison {
  readonly stores: AccountStores;
  readonly tables: AccountTables;
  readonly runner: ComparisonRunner;
  readonly repair: boolean;
  readonly orphanAgeMs: number;
  /** Orphans that this step may still delete. */
  readonly orphans: { left: number };
  /** The search entry and the variants of one in this many uploads are compared each day. */
  readonly searchedEvery: number;
}

/** Whether an upload's search entry and variants are compared today. */
export function isDue(
  uploadId: string,
  { stores, searchedEvery }: Pick<Comparison, "stores" | "searchedEvery">,
): boolean {
  return (Number.parseInt(uploadId.slice(-2), 36) + dayOf(stores.now)) % searchedEvery === 0;
}
