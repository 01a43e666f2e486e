import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "./lazy-part.tsx";
import { toastQueue } from "./toast-queue.ts";

export interface ToastMessage {
  readonly title: string;
  readonly description?: string | undefined;
  /** "Undo", "Retry". */
  readonly action?: { readonly title: string; readonly run: () => void } | undefined;
  readonly tone?: "plain" | "ok" | "danger";
  /** 10 s with an action, 5 s without. 0: until it is closed. */
  readonly timeoutMs?: number;
}

/** Says something at the foot of the page, and to screen readers. */
export function toast(message: ToastMessage): void {
  toastQueue.push(message);
}

export const ToastList = lazyPart(() => import("./toast-list.tsx"));

/** Where toasts appear: once a page. Its code is loaded with the first one. */
export function Toasts() {
  const isUsed = useSyncExternalStore(toastQueue.subscribe, toastQueue.isUsed);
  return (
    isUsed && (
      <Suspense fallback={null}>
        <ToastList />
      </Suspense>
    )
  );
}
