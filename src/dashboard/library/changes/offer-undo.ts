import { toast } from "../../design/toast.tsx";
import type { ToastMessage } from "../../design/toast-queue.ts";
import { type UndoStep, undoStack } from "./undo-stack.ts";

interface Undoable {
  /** Reports the change with an Undo button. The toast closes when the change is undone, also by Ctrl-Z. @param message by default the title */
  readonly offer: (message?: ToastMessage) => void;
  /** The change was refused: there is nothing to undo. */
  readonly withdraw: () => void;
}

/**
 * Lets Ctrl-Z undo a change from the moment it begins. Changes are undone in the order in which they were made, even if their responses
 * arrive in another order.
 */
export function beginUndoable(title: string, undo: () => unknown): Undoable {
  const undone = new AbortController();
  const step: UndoStep = {
    title,
    run() {
      undone.abort();
      return undo();
    },
  };
  undoStack.push(step);
  return {
    offer: (message = { title }) =>
      toast({
        ...message,
        signal: undone.signal,
        action: { title: "Undo", run: () => void undoStack.take(step)?.run() },
      }),
    withdraw: () => void undoStack.take(step),
  };
}
