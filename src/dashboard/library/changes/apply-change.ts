import type { Filters } from "../view/filters.ts";
import { type Item, type Patch, patched, staysIn } from "./patch.ts";

/** The loaded pages of a view, by number from 0. A slot is undefined while its file is not known. */
export interface LoadedView {
  readonly total: number;
  readonly pages: ReadonlyMap<number, readonly (Item | undefined)[]>;
}

export interface Change {
  readonly ids: ReadonlySet<string>;
  readonly patch: Patch;
}

interface Applied {
  readonly view: LoadedView;
  /** Positions of the files that left the view, ascending. */
  readonly removed: readonly number[];
}

/**
 * Applies a change to a view before the server has answered. Files that leave the view are removed, and later files move up across the
 * pages in memory. A slot that becomes unknown is undefined and is fetched when it is seen.
 */
export function applyChange(view: LoadedView, filters: Filters, change: Change, pageItems: number): Applied {
  const removed: number[] = [];
  const left = new Map<number, Item>();
  let unseen = change.ids.size;
  const numbers = [...view.pages.keys()].sort((one, other) => one - other);
  for (const number of numbers) {
    for (const [at, item] of (view.pages.get(number) ?? []).entries()) {
      if (item === undefined) continue;
      const position = number * pageItems + at;
      if (!change.ids.has(item._id)) {
        left.set(position, item);
        continue;
      }
      unseen -= 1;
      const next = patched(item, change.patch);
      if (next === undefined || !staysIn(next, filters)) removed.push(position);
      else left.set(position, next);
    }
  }
  // Files that are not loaded may have left the view, too, so positions after the first unknown slot are uncertain.
  const sureUntil =
    unseen > 0 && mayRemove(change.patch, filters) ? firstUnknown(view, numbers, pageItems) : view.total;
  const total = view.total - removed.length;
  const pages = new Map<number, (Item | undefined)[]>();
  for (const number of numbers) {
    const items = Math.min(pageItems, total - number * pageItems);
    if (items > 0) pages.set(number, new Array<Item | undefined>(items).fill(undefined));
  }
  let before = 0;
  for (const [position, item] of left) {
    if (position >= sureUntil) break;
    while (before < removed.length && (removed[before] as number) < position) before += 1;
    const now = position - before;
    const page = pages.get(Math.floor(now / pageItems));
    if (page !== undefined) page[now % pageItems] = item;
  }
  return { view: { total, pages }, removed };
}

function mayRemove(
  { status, folderId, favorite, visibility, addTags = [], removeTags = [] }: Patch,
  filters: Filters,
): boolean {
  return (
    (status !== undefined && status !== filters.status) ||
    (folderId !== undefined && filters.folder !== "all" && filters.folder !== (folderId ?? "root")) ||
    (favorite === false && filters.fav) ||
    (visibility !== undefined && filters.visibility !== undefined && filters.visibility !== visibility) ||
    removeTags.some((tag) => filters.tags.includes(tag)) ||
    addTags.some((tag) => filters.not.includes(tag))
  );
}

function firstUnknown({ pages, total }: LoadedView, numbers: readonly number[], pageItems: number): number {
  let sure = 0;
  for (const number of numbers) {
    const items = pages.get(number) ?? [];
    if (number * pageItems !== sure) return sure;
    const hole = items.indexOf(undefined);
    if (hole >= 0) return sure + hole;
    sure += items.length;
  }
  return Math.min(sure, total);
}
