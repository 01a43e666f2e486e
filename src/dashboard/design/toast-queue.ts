export interface ToastMessage {
  readonly title: string;
  readonly description?: string | undefined;
  /** "Undo", "Retry". */
  readonly action?: { readonly title: string; readonly run: () => void } | undefined;
  readonly tone?: "plain" | "ok" | "danger";
  /** Default: 10 s with an action, else 5 s. With 0 the toast stays until the user closes it. */
  readonly timeoutMs?: number;
  /** Closes the toast when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

const waiting: ToastMessage[] = [];
const listeners = new Set<() => void>();
let isUsed = false;

/** Toasts that wait until the list that shows them is loaded. */
export const toastQueue = {
  push(message: ToastMessage): void {
    waiting.push(message);
    isUsed = true;
    for (const listener of listeners) listener();
  },
  isUsed: () => isUsed,
  /** Removes and returns all waiting toasts. */
  take: () => waiting.splice(0),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
