import type { QueryClient } from "@tanstack/react-query";
import { type ImageFilter, MediaHostError } from "../../../client/index.ts";
import { tellOtherTabs } from "../../api/library-tabs.ts";
import { type Changed, changeImages, changeMatching, findDeleted } from "../../api/queries/change-images.ts";
import { toast } from "../../design/toast.tsx";
import type { OnRefused } from "../../file/file-facts.ts";
import { type Filters, toImageQuery } from "../view/filters.ts";
import { inOrder, isLast } from "./change-queue.ts";
import { countChanges, recount, refreshAll, refreshCounts } from "./count-changes.ts";
import { type Missed, messageOfKept, messageOfMissed, titleOfChange, titleOfFailure } from "./describe-change.ts";
import { MOST_UNDONE } from "./most-undone.ts";
import { beginUndoable } from "./offer-undo.ts";
import { type Item, type Patch, patched } from "./patch.ts";
import { showChange } from "./show-change.ts";
import { toUndo, type UndoGroup } from "./undo.ts";
import { undoStack } from "./undo-stack.ts";

export interface ChangesOf {
  readonly filters: Filters;
  /** The view's listing. */
  readonly filter: ImageFilter;
  readonly folderName: (folderId: string | null) => string;
  readonly onRemoved: (positions: readonly number[]) => void;
}

export interface ChangeProgress {
  readonly done: number;
  readonly of: number;
  readonly stop: () => void;
}

export type OnStep = (progress: ChangeProgress | undefined) => void;

export interface ChangeHandlers {
  readonly onStep?: OnStep | undefined;
  /** Shows the service's refusal beside the changed value. By default a toast shows it. */
  readonly onRefused?: OnRefused | undefined;
}

const NONE_MISSED: Missed = { deleted: [], unnamed: 0 };

/** The view at the moment when a change begins. */
export interface ChangeContext {
  readonly client: QueryClient;
  readonly now: { readonly current: ChangesOf };
}

/** Shows a change at once, sends it after all earlier changes, and reverts it if the service refuses. */
export async function perform(
  context: ChangeContext,
  items: readonly Item[],
  patch: Patch,
  { onStep, onRefused }: ChangeHandlers = {},
): Promise<void> {
  if (items.length === 0) return;
  const { client, now } = context;
  const { filters, filter, folderName, onRemoved } = now.current;
  const ids = items.map(({ _id }) => _id);
  const shown = await showChange(client, { filters, filter }, { ids: new Set(ids), patch });
  if (shown.removed.length > 0) onRemoved(shown.removed);
  countChanges(client, items, patch);
  const groups = toUndo(items, patch);
  const isUndoable = groups.length > 0 && items.length <= MOST_UNDONE;
  const title = titleOfChange(items.length, patch, folderName);
  let missed = NONE_MISSED;
  const undoable = isUndoable
    ? beginUndoable(title, () =>
        undoGroups(
          client,
          items.filter((item) => !missed.deleted.includes(item)),
          groups,
        ),
      )
    : undefined;
  const stopped = new AbortController();
  const step = (done: number) => onStep?.({ done, of: ids.length, stop: () => stopped.abort() });
  try {
    const changed = await inOrder(() => changeImages(ids, patch, { signal: stopped.signal, onStep: step }));
    const isWhole = changed.updated === ids.length;
    if (!isWhole) recount(client);
    showInFile(client, ids, patch);
    await shown.settle(isWhole && !mayMove(patch, filter));
    missed = await findMissed(items, groups, changed);
    if (missed.deleted.length > 0) void client.invalidateQueries({ queryKey: ["image"] });
    if (changed.kept > 0) toast(messageOfKept(ids.length - changed.kept, changed.kept));
    else if (missed.deleted.length === items.length) {
      undoable?.withdraw();
      toast({ ...messageOfMissed(missed), tone: "danger", title: titleOfFailure(items.length, patch) });
    } else {
      const count = items.length - missed.deleted.length - missed.unnamed;
      const message = { ...messageOfMissed(missed), title: titleOfChange(count, patch, folderName) };
      if (undoable === undefined) toast(message);
      else undoable.offer(message);
    }
  } catch (error) {
    undoable?.withdraw();
    if (isLast()) shown.revert();
    void client.invalidateQueries({ queryKey: ["image"] });
    await shown.settle(false);
    recount(client);
    if (stopped.signal.aborted) return;
    if (onRefused !== undefined && error instanceof MediaHostError && REFUSALS.includes(error.statusCode))
      return onRefused(error.message);
    const retry = { title: "Retry", run: () => void perform(context, items, patch, { onStep, onRefused }) };
    toast({ tone: "danger", title: titleOfFailure(items.length, patch), description: wordsOf(error), action: retry });
  } finally {
    onStep?.(undefined);
    refreshCounts(client, patch);
    tellOtherTabs();
  }
}

/** The service understood the change and does not make it. */
const REFUSALS = [400, 403, 404, 409, 413, 451];

/** Whether a change may give a file another place in a view, or take it out of the view. */
function mayMove({ facts }: Patch, { sort, q, hasAlt, expires, expiresTo }: ImageFilter): boolean {
  return (
    (facts?.originalFilename !== undefined && (sort === "name" || q !== undefined)) ||
    (facts?.alt !== undefined && hasAlt !== undefined) ||
    (facts?.expiresAt !== undefined && (expires ?? expiresTo) !== undefined)
  );
}

/** Changes the copies of files that were opened before. */
function showInFile(client: QueryClient, ids: readonly string[], patch: Patch): void {
  client.setQueriesData<Item>({ queryKey: ["image"] }, (file) =>
    file !== undefined && ids.includes(file._id) ? (patched(file, patch) ?? file) : file,
  );
}

/**
 * The files that a change did not reach. The service answers with the number of changed files only, and does not count files that another tab
 * or program changed before.
 */
async function findMissed(
  items: readonly Item[],
  groups: readonly UndoGroup[],
  { updated, kept }: Changed,
): Promise<Missed> {
  const due = items.length === 1 ? items.map(({ _id }) => _id) : groups.flatMap(({ ids }) => ids);
  const left = due.length - updated - kept;
  if (left <= 0) return NONE_MISSED;
  const deleted = await findDeleted(due);
  // A request that is sent again because its answer was lost changes nothing the second time.
  if (deleted === undefined) return { deleted: [], unnamed: updated === 0 ? 0 : left };
  return { deleted: items.filter(({ _id }) => deleted.has(_id)), unnamed: 0 };
}

const SHOW_UNDOING_AFTER_MS = 600;

/** @param items the files to change back; a group may name others, too */
async function undoGroups(client: QueryClient, items: readonly Item[], groups: readonly UndoGroup[]): Promise<void> {
  const byId = new Map(items.map((item) => [item._id, item]));
  const deleted: Item[] = [];
  let unnamed = 0;
  // The files change only with the answer. On a slow network nothing else would show that the key was understood.
  const over = new AbortController();
  const patience = setTimeout(
    () => toast({ title: "Undoing…", timeoutMs: 0, signal: over.signal }),
    SHOW_UNDOING_AFTER_MS,
  );
  try {
    for (const group of groups) {
      const some = group.ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
      const ids = some.map(({ _id }) => _id);
      if (ids.length === 0) continue;
      const changed = await inOrder(() => changeImages(ids, group.patch));
      showInFile(client, ids, group.patch);
      const missed = await findMissed(some, [{ ...group, ids }], changed);
      deleted.push(...missed.deleted);
      unnamed += missed.unnamed;
    }
    const message = messageOfMissed({ deleted, unnamed });
    toast(
      deleted.length < items.length
        ? { ...message, title: "Undone" }
        : { ...message, tone: "danger", title: "This could not be undone" },
    );
  } catch (error) {
    toast({ tone: "danger", title: "This could not be undone", description: wordsOf(error) });
  } finally {
    clearTimeout(patience);
    over.abort();
  }
  void refreshAll(client);
  tellOtherTabs();
}

/** Changes all files of the view except some. The service finds them, and the change cannot be undone. */
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
    toast({ title: titleOfChange(updated, patch, folderName) });
  } catch (error) {
    if (!stopped.signal.aborted)
      toast({ tone: "danger", title: titleOfFailure(count, patch), description: wordsOf(error) });
  } finally {
    onStep(undefined);
    void refreshAll(client);
    tellOtherTabs();
  }
}

/** Undoes the last change that is not undone yet. */
export function undoLast(): void {
  const step = undoStack.take();
  if (step === undefined) toast({ title: "Nothing to undo" });
  else void step.run();
}

function wordsOf(error: unknown): string {
  return error instanceof MediaHostError && error.statusCode !== 0 ? error.message : "No answer from the service";
}
