import { useSyncExternalStore } from "react";
import { sparePart } from "./lazy-part.tsx";
import { type ToastMessage, toastQueue } from "./toast-queue.ts";

/** Shows a message at the bottom of the page and announces it to screen readers. */
export function toast(message: ToastMessage): void {
  toastQueue.push(message);
}

export const ToastList = sparePart(() => import("./toast-list.tsx"));

/** The place of all toasts, once in a page. Its code is loaded with the first toast. */
export function Toasts() {
  const isUsed = useSyncExternalStore(toastQueue.subscribe, toastQueue.isUsed);
  return isUsed && <ToastList />;
}
