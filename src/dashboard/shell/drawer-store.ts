import { useSyncExternalStore } from "react";
import { createStore } from "../api/create-store.ts";

const drawer = createStore(false);

/** Whether the sidebar is open over the page, on phones. */
export function useDrawer(): boolean {
  return useSyncExternalStore(drawer.subscribe, drawer.get);
}

export const openDrawer = () => drawer.set(true);
export const closeDrawer = () => drawer.set(false);
