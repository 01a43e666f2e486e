import { useSyncExternalStore } from "react";
import { createStore } from "./create-store.ts";
import type { Usage } from "./parse-usage.ts";

interface State {
  readonly usage: Usage | undefined;
  /** Until when requests wait for the next minute's rate, milliseconds since 1970. */
  readonly waitsUntil: number;
}

const store = createStore<State>({ usage: undefined, waitsUntil: 0 });

/** What the last answer said of the account: storage, operations, rate. Undefined before the first one. */
export function useUsage(): Usage | undefined {
  return useSyncExternalStore(store.subscribe, () => store.get().usage);
}

/** Until when requests wait for the rate; in the past: none does. */
export function useWaitsUntil(): number {
  return useSyncExternalStore(store.subscribe, () => store.get().waitsUntil);
}

export function readUsage(): Usage | undefined {
  return store.get().usage;
}

export function recordUsage(usage: Usage): void {
  store.set({ ...store.get(), usage });
}

export function recordWait(until: number): void {
  if (until > store.get().waitsUntil) store.set({ ...store.get(), waitsUntil: until });
}

/** Another account is logged in. */
export function forgetUsage(): void {
  store.set({ usage: undefined, waitsUntil: 0 });
}
