import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { MediaHostError } from "../../client/index.ts";
import { changeImages, changeMatching } from "../api/queries/change-images.ts";
import { toast } from "../design/toast.tsx";
import type { Item, Patch } from "./change.ts";
import { inOrder, isLast } from "./change-queue.ts";
import { countChanges, refreshAll, refreshCounts } from "./count-changes.ts";
import type { Filters } from "./filters.ts";
import { toImageQuery } from "./filters.ts";
import { showChange } from "./optimistic.ts";
import { MOST_UNDONE, toUndo, type UndoGroup, UndoStack, type UndoStep } from "./undo.ts";
import { refused, told } from "./words.ts";

interface ChangesOf {
  readonly filters: Filters;
  readonly folderName: (folderId: string | null) => string;
  /** Files have left the view. */
  readonly onRemoved: (positions: readonly number[]) => void;
}

export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly stop: () => void;
}

/** What can be undone, in this tab, whichever page is shown. */
export const undoStack = new UndoStack();

/** Changing files: shown at once, sent in order, undone by a toast or Ctrl-Z, taken back where the service refuses. */
export function useChanges(of: ChangesOf) {
  const client = useQueryClient();
  const now = useRef(of);
  now.current = of;

  const perform = async (
    items: readonly Item[],
    patch: Patch,
    onStep?: (progress: Progress | undefined) => void,
  ): Promise<void> => {
    if (items.length === 0) return;
    const { filters, folderName, onRemoved } = now.current;
    const ids = items.map(({ _id }) => _id);
    const shown = await showChange(client, { filters, filter: toImageQuery(filters) }, { ids: new Set(ids), patch });
    if (shown.removed.length > 0) onRemoved(shown.removed);
    countChanges(client, items, patch);
    const stopped = new AbortController();
    const step = (done: number) => onStep?.({ done, of: ids.length, stop: () => stopped.abort() });
    try {
      const updated = await inOrder(() => changeImages(ids, patch, { signal: stopped.signal, onStep: step }));
      await shown.settle(updated === ids.length);
      const undo = items.length > MOST_UNDONE ? [] : toUndo(items, patch);
      const title = told(items.length, patch, folderName);
      toast({ title, ...offerUndo(undo, title) });
    } catch (error) {
      if (isLast()) shown.revert();
      await shown.settle(false);
      for (const key of ["folders", "overview"]) void client.invalidateQueries({ queryKey: [key] });
      if (stopped.signal.aborted) return;
      const retry = { title: "Retry", run: () => void perform(items, patch, onStep) };
      toast({ tone: "danger", title: refused(items.length, patch), description: wordsOf(error), action: retry });
    } finally {
      onStep?.(undefined);
      refreshCounts(client, patch);
    }
  };

  const offerUndo = (groups: readonly UndoGroup[], title: string) => {
    if (groups.length === 0) return {};
    const step: UndoStep = { title, run: () => undo(groups) };
    undoStack.push(step);
    return { action: { title: "Undo", run: () => void undoStack.take(step)?.run() } };
  };

  const undo = async (groups: readonly UndoGroup[]) => {
    try {
      for (const { ids, patch } of groups) await inOrder(() => changeImages(ids, patch));
      toast({ title: "Undone" });
    } catch (error) {
      toast({ tone: "danger", title: "This could not be undone", description: wordsOf(error) });
    }
    refreshAll(client);
  };

  /** The same for all files of the view but some, more than can be undone; the service finds them. */
  const performAll = async (
    count: number,
    exceptIds: readonly string[],
    patch: Patch,
    onStep: (progress: Progress | undefined) => void,
  ): Promise<void> => {
    const { filters, folderName } = now.current;
    const stopped = new AbortController();
    const step = (done: number) => onStep({ done, of: count, stop: () => stopped.abort() });
    const options = { signal: stopped.signal, onStep: step };
    step(0);
    try {
      const updated = await inOrder(() => changeMatching(toImageQuery(filters), exceptIds, patch, options));
      toast({ title: told(updated, patch, folderName) });
    } catch (error) {
      if (!stopped.signal.aborted) toast({ tone: "danger", title: refused(count, patch), description: wordsOf(error) });
    } finally {
      onStep(undefined);
      refreshAll(client);
    }
  };

  /** Ctrl-Z: the last step that was not undone yet. */
  const undoLast = () => {
    const step = undoStack.take();
    if (step === undefined) toast({ title: "Nothing to undo" });
    else void step.run();
  };
  return { perform, performAll, undoLast };
}

function wordsOf(error: unknown): string {
  return error instanceof MediaHostError && error.statusCode !== 0 ? error.message : "No answer from the service";
}
