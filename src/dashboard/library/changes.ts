import type { QueryClient } from "@tanstack/react-query";
import { MediaHostError } from "../../client/index.ts";
import { changeImages, changeMatching } from "../api/queries/change-images.ts";
import { toast } from "../design/toast.tsx";
import { type Item, MOST_UNDONE, type Patch } from "./change.ts";
import { inOrder, isLast } from "./change-queue.ts";
import { refused, told } from "./change-words.ts";
import { countChanges, refreshAll, refreshCounts } from "./count-changes.ts";
import { toImageQuery } from "./filters.ts";
import { showChange } from "./optimistic.ts";
import { tellOtherTabs } from "./other-tabs.ts";
import { toUndo, type UndoGroup } from "./undo.ts";
import { type UndoStep, undoStack } from "./undo-stack.ts";
import type { ChangesOf, Progress } from "./use-changes.ts";

/** Where files are changed: the view as it is when a change begins. */
export interface ChangeContext {
  readonly client: QueryClient;
  readonly now: { readonly current: ChangesOf };
}

type OnStep = (progress: Progress | undefined) => void;

/** Shown at once, sent when those before have been answered, taken back where the service refuses. */
export async function perform(
  context: ChangeContext,
  items: readonly Item[],
  patch: Patch,
  onStep?: OnStep,
): Promise<void> {
  if (items.length === 0) return;
  const { client, now } = context;
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
    toast({ title, ...offerUndo(client, undo, title) });
  } catch (error) {
    if (isLast()) shown.revert();
    await shown.settle(false);
    for (const key of ["folders", "overview"]) void client.invalidateQueries({ queryKey: [key] });
    if (stopped.signal.aborted) return;
    const retry = { title: "Retry", run: () => void perform(context, items, patch, onStep) };
    toast({ tone: "danger", title: refused(items.length, patch), description: wordsOf(error), action: retry });
  } finally {
    onStep?.(undefined);
    refreshCounts(client, patch);
    tellOtherTabs();
  }
}

function offerUndo(client: QueryClient, groups: readonly UndoGroup[], title: string) {
  if (groups.length === 0) return {};
  const step: UndoStep = { title, run: () => undo(client, groups) };
  undoStack.push(step);
  return { action: { title: "Undo", run: () => void undoStack.take(step)?.run() } };
}

async function undo(client: QueryClient, groups: readonly UndoGroup[]): Promise<void> {
  try {
    for (const { ids, patch } of groups) await inOrder(() => changeImages(ids, patch));
    toast({ title: "Undone" });
  } catch (error) {
    toast({ tone: "danger", title: "This could not be undone", description: wordsOf(error) });
  }
  void refreshAll(client);
  tellOtherTabs();
}

/** The same for all files of the view but some, more than can be undone; the service finds them. */
export async function performAll(
  { client, now }: ChangeContext,
  count: number,
  exceptIds: readonly string[],
  patch: Patch,
  onStep: OnStep,
): Promise<void> {
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
    void refreshAll(client);
    tellOtherTabs();
  }
}

/** Ctrl-Z: the last step that was not undone yet. */
export function undoLast(): void {
  const step = undoStack.take();
  if (step === undefined) toast({ title: "Nothing to undo" });
  else void step.run();
}

function wordsOf(error: unknown): string {
  return error instanceof MediaHostError && error.statusCode !== 0 ? error.message : "No answer from the service";
}
