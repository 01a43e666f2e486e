import { useSyncExternalStore } from "react";
import { createStore } from "./create-store.ts";
import type { Usage } from "./parse-usage.ts";

interface State {
  readonly usage: Usage | undefined;
  /** The time at which waiting requests are sent, milliseconds since 1970. */
  readonly waitsUntil: number;
}

const store = createStore<State>({ usage: undefined, waitsUntil: 0 });

/** The figures of the latest response: storage, operations, rate. Undefined before the first response. */
export function useUsage(): Usage | undefined {
  return useSyncExternalStore(store.subscribe, () => store.get().usage);
}

/** The time at which waiting requests are sent. No request waits if it has passed. */
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

/** Clears the figures of the previous account. */
export function forgetUsage(): void {
  store.set({ usage: undefined, waitsUntil: 0 });
}
