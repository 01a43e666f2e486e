import { useSyncExternalStore } from "react";
import type { NewKey } from "../../client/index.ts";
import { createStore } from "./create-store.ts";

/** The key that this tab made last, in memory only: the service shows a key only once. */
const store = createStore<NewKey | undefined>(undefined);

export const keepFreshKey = store.set;

/** Forgets a key that no longer works. */
export function forgetFreshKey(id: string): void {
  if (store.get()?._id === id) store.set(undefined);
}

/** The key that this tab made last; undefined after a reload. */
export function useFreshKey(): NewKey | undefined {
  return useSyncExternalStore(store.subscribe, store.get);
}
