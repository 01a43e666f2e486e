import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { MAX_SAVED_SEARCHES, type SavedSearch } from "../../domain/saved-search.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";

type SearchFacts = Omit<SavedSearch, "id">;

/** The account's saved searches, in the order in which they were made (FIND-1). */
export async function listSavedSearches(account: AccountContext, query: PageQuery): Promise<Page<SavedSearch>> {
  const list = { name: "listSavedSearches", accountId: account.accountId };
  return pageOfFew(account, query, { list, rows: await account.meter.listSavedSearches(), keyOf: ({ id }) => id });
}

/** @throws ServiceError 400 for too many, 404 if the account was erased */
export async function addSavedSearch({ meter, now }: AccountContext, facts: SearchFacts): Promise<SavedSearch> {
  const stored = await meter.addSavedSearch({ id: newId(now()), ...facts });
  if (stored === "full") throw ERRORS.TooManyOf("saved searches", MAX_SAVED_SEARCHES);
  if (stored === "gone") throw ERRORS.AccountNotFound();
  return stored;
}

/** Changes the given facts. @throws ServiceError 404 */
export async function changeSavedSearch(
  { meter }: AccountContext,
  id: string,
  { name, address }: { readonly [Fact in keyof SearchFacts]?: string | undefined },
): Promise<SavedSearch> {
  const changed = await meter.changeSavedSearch(id, {
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address }),
  });
  if (changed === undefined) throw ERRORS.SavedSearchNotFound();
  return changed;
}

/** @throws ServiceError 404 */
export async function removeSavedSearch({ meter }: AccountContext, id: string): Promise<void> {
  if (!(await meter.removeSavedSearch(id))) throw ERRORS.SavedSearchNotFound();
}
