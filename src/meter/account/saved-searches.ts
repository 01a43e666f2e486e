import { MAX_SAVED_SEARCHES, type SavedSearch } from "../../domain/saved-search.ts";
import type { MeterContext } from "./context.ts";

/** Saved searches live only in the account's object. */

export async function listSavedSearches({ tables, load }: MeterContext): Promise<SavedSearch[]> {
  return (await load()) ? tables.savedSearches.list() : [];
}

/**
 * Adds a search. A retry whose first answer was lost finds the search that has the same name and address.
 * @returns the stored search; `gone`: the account no longer exists
 */
export async function addSavedSearch(
  { storage, tables, load }: MeterContext,
  search: SavedSearch,
): Promise<SavedSearch | "full" | "gone"> {
  if (!(await load()) || tables.erasing) return "gone";
  return storage.transactionSync(() => {
    const all = tables.savedSearches.list();
    const same = all.find(({ name, address }) => name === search.name && address === search.address);
    if (same !== undefined) return same;
    if (all.length >= MAX_SAVED_SEARCHES) return "full";
    tables.savedSearches.put(search);
    return search;
  });
}

/** @returns the search after the change; undefined if there is no such search */
export async function changeSavedSearch(
  { storage, tables, load }: MeterContext,
  id: string,
  change: Partial<Omit<SavedSearch, "id">>,
): Promise<SavedSearch | undefined> {
  if (!(await load())) return undefined;
  return storage.transactionSync(() => {
    const found = tables.savedSearches.list().find((search) => search.id === id);
    if (found === undefined) return undefined;
    const changed = { ...found, ...change };
    tables.savedSearches.put(changed);
    return changed;
  });
}

/** @returns whether there was such a search */
export async function removeSavedSearch({ tables, load }: MeterContext, id: string): Promise<boolean> {
  return (await load()) && tables.savedSearches.remove(id);
}
