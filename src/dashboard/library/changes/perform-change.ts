import type { QueryClient } from "@tanstack/react-query";
import { type ImageFilter, MediaHostError } from "../../../client/index.ts";
import { tellOtherTabs } from "../../api/library-tabs.ts";
import { changeImages, changeMatching } from "../../api/queries/change-images.ts";
import { isolate } from "../../design/format.ts";
import { toast } from "../../design/toast.tsx";
import type { ToastMessage } from "../../design/toast-queue.ts";
import type { FileFactsPatch, OnRefused } from "../../file/file-facts.ts";
import { type Filters, toImageQuery } from "../view/filters.ts";
import { files } from "../words.ts";
import { inOrder, isLast } from "./change-queue.ts";
import { countChanges, recount, refreshAll, refreshCounts } from "./count-changes.ts";
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
  const undo = items.length > MOST_UNDONE ? [] : toUndo(items, patch);
  const title = titleOfChange(items.length, patch, folderName);
  const undoable = undo.length === 0 ? undefined : beginUndoable(title, () => undoGroups(client, undo));
  const stopped = new AbortController();
  const step = (done: number) => onStep?.({ done, of: ids.length, stop: () => stopped.abort() });
  try {
    const { updated, kept } = await inOrder(() => changeImages(ids, patch, { signal: stopped.signal, onStep: step }));
    const isWhole = updated === ids.length;
    if (!isWhole) recount(client);
    showInFile(client, ids, patch);
    await shown.settle(isWhole && !mayMove(patch, filter));
    if (kept > 0) toast(messageOfKept(ids.length - kept, kept));
    else if (undoable === undefined) toast({ title });
    else undoable.offer();
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

/** The message has two sentences to read. */
const KEPT_SHOWN_MS = 10_000;

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

async function undoGroups(client: QueryClient, groups: readonly UndoGroup[]): Promise<void> {
  try {
    for (const { ids, patch } of groups) {
      await inOrder(() => changeImages(ids, patch));
      showInFile(client, ids, patch);
    }
    toast({ title: "Undone" });
  } catch (error) {
    toast({ tone: "danger", title: "This could not be undone", description: wordsOf(error) });
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

/** Reports a change: "3 files moved to Clients". */
function titleOfChange(count: number, patch: Patch, folderName: (folderId: string | null) => string): string {
  const { status, folderId, favorite, visibility, addTags = [], removeTags = [], facts } = patch;
  const what = files(count);
  if (facts !== undefined) return titleOfFacts(facts);
  if (status === "trash") return `${what} moved to the trash`;
  if (status === "active") return `${what} restored`;
  if (status === "deleted") return `${what} deleted permanently`;
  if (folderId !== undefined) return `${what} moved to ${folderName(folderId)}`;
  if (visibility !== undefined) return `${what} made ${visibility}`;
  if (favorite !== undefined) return favorite ? `${what} added to favourites` : `${what} removed from favourites`;
  if (addTags.length > 0 && removeTags.length > 0) return `Tags of ${what} changed`;
  return removeTags.length > 0
    ? `${removeTags.join(", ")} removed from ${what}`
    : `${what} tagged ${addTags.join(", ")}`;
}

/** Reports a permanent deletion that kept files, because another tab or program restored them first. */
function messageOfKept(deleted: number, kept: number): ToastMessage {
  const were = kept === 1 ? "was restored in the meantime and is" : "were restored in the meantime and are";
  return {
    title: deleted === 0 ? "Nothing was deleted" : `${files(deleted)} deleted permanently`,
    description: `${files(kept)} ${were} kept.`,
    timeoutMs: KEPT_SHOWN_MS,
  };
}

function titleOfFacts({ originalFilename, alt, externalId, metadata, focalPoint }: FileFactsPatch): string {
  if (originalFilename !== undefined) return `Renamed to ${isolate(originalFilename)}`;
  if (alt !== undefined) return alt === null ? "Alt text removed" : "Alt text saved";
  if (externalId !== undefined) return externalId === null ? "Id removed" : "Id saved";
  if (metadata !== undefined) return metadata === null ? "Metadata removed" : "Metadata saved";
  if (focalPoint !== undefined) return focalPoint === null ? "Focal point removed" : "Focal point saved";
  return "Expiry changed";
}

/** Reports a change that failed: "3 files could not be moved to the trash". */
function titleOfFailure(count: number, { status, folderId, favorite, visibility, facts }: Patch): string {
  const what = files(count);
  if (facts !== undefined) return "The file could not be changed";
  if (status === "trash") return `${what} could not be moved to the trash`;
  if (status === "active") return `${what} could not be restored`;
  if (status === "deleted") return `${what} could not be deleted`;
  if (folderId !== undefined) return `${what} could not be moved`;
  if (visibility !== undefined) return `${what} could not be made ${visibility}`;
  if (favorite === undefined) return `The tags of ${what} could not be changed`;
  return `${what} could not be ${favorite ? "added to" : "removed from"} favourites`;
}
