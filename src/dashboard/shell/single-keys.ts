import { useSyncExternalStore } from "react";

const KEY = "single-keys";
const listeners = new Set<() => void>();

/** Whether single letters do things; some people speak to their computer and want none of it (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

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
