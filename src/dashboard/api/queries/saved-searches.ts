import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { connection } from "../client.ts";

export interface SavedSearch {
  readonly _id: string;
  readonly name: string;
  /** Below `/dashboard`. */
  readonly address: string;
}

const PATH = "/searches";

/** The account's saved searches. An account has few, so one page has them all. */
export const savedSearchesQuery = queryOptions({
  queryKey: ["saved-searches"],
  queryFn: async ({ signal }) =>
    (await connection.call<{ searches: SavedSearch[] }>("GET", PATH, { query: { limit: 100 }, signal })).searches,
  staleTime: 10_000,
  // Another tab or device may have changed them.
  refetchOnWindowFocus: true,
});

type Facts = Omit<SavedSearch, "_id">;

/** Saves, changes and deletes searches. Afterwards they are read again. */
export function useSavedSearchChanges() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey });
  const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  // The service stores the same search once, so a lost answer is repeated.
  const add = useMutation({
    mutationFn: (body: Facts) => connection.call<SavedSearch>("POST", PATH, { body, repeatable: true }),
    onSettled,
  });
  const change = useMutation({
    mutationFn: ({ id, body }: { readonly id: string; readonly body: Partial<Facts> }) =>
      connection.call<SavedSearch>("PATCH", pathOf(id), { body }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: (id: string) => connection.call<unknown>("DELETE", pathOf(id)),
    onSettled,
  });
  return { add, change, remove };
}
