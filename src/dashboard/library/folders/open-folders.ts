import { useSyncExternalStore } from "react";

let open: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  open = next;
  for (const listener of listeners) listener();
}

/** The ids of the expanded folders, until the page is closed. */
export const openFolders = {
  add(ids: readonly string[]): void {
    if (ids.some((id) => !open.has(id))) set(new Set([...open, ...ids]));
  },
  remove(id: string): void {
    set(new Set([...open].filter((each) => each !== id)));
  },
};

export function useOpenFolders(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
