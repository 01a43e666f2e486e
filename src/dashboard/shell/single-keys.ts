import { useSyncExternalStore } from "react";

const KEY = "single-keys";
const listeners = new Set<() => void>();

/** Whether single-key shortcuts are on. Users with speech input need to turn them off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

/** Turns single-key shortcuts on or off in this browser. */
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
  for (const listener of listeners) listener();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, hasSingleKeys);
}
