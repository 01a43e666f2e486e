import type { Account } from "../../db/directory/schema.ts";
import type { UncountedOperation } from "../books/operation.ts";

/** The changes that an intent makes to the account's figures. */
export interface IntentEffect {
  readonly storageBytes: number;
  readonly operation: UncountedOperation | null;
  /** False if a further pass is needed. */
  readonly done: boolean;
  /** The directory's row after a change of the address: the directory decides whether an address is free. */
  readonly account?: Account;
}

/** A deletion that is only for the trash has found its upload elsewhere. */
export const KEPT: IntentEffect = { storageBytes: 0, operation: null, done: false };

export const NO_EFFECT: IntentEffect = { storageBytes: 0, operation: null, done: true };
