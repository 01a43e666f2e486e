import type { ToastMessage } from "./toast.tsx";

const waiting: ToastMessage[] = [];
const listeners = new Set<() => void>();
let isUsed = false;

/** Toasts that wait to be shown: the list that shows them may not be loaded yet. */
export const toastQueue = {
  push(message: ToastMessage): void {
    waiting.push(message);
    isUsed = true;
    for (const listener of listeners) listener();
  },
  isUsed: () => isUsed,
  /** @returns those that wait, which then wait no more */
  take: () => waiting.splice(0),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
