import { useSyncExternalStore } from "react";
import { createStore } from "./create-store.ts";

/** The operator's reason for the suspension of this account; undefined if it is not suspended. */
const store = createStore<string | undefined>(undefined);

export function useSuspension(): string | undefined {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Records whether the account is suspended. */
export function setSuspension(reason: string | undefined): void {
  store.set(reason);
}
