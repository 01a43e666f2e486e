import { useSyncExternalStore } from "react";
import { createStore } from "./create-store.ts";

/** Whether requests wait for the user's proof. */
const store = createStore(false);
const waiting: ((isProven: boolean) => void)[] = [];

export function useProofWanted(): boolean {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Opens the dialog that asks for the proof. @returns false if the user closed it */
export function askForProof(): Promise<boolean> {
  store.set(true);
  return new Promise((resolve) => waiting.push(resolve));
}

/** Closes the dialog. The waiting requests are sent again if `isProven`. */
export function endProof(isProven: boolean): void {
  store.set(false);
  for (const settle of waiting.splice(0)) settle(isProven);
}
