import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Fetches queries again, and refetches the shown ones at once. A first fetch in progress may have read the state before a change. An
 * invalidation alone does not cancel it, and would take its answer for the new state.
 * @returns when the shown queries have succeeded or failed
 */
export async function refetch(
  client: QueryClient,
  queryKey: QueryKey,
  matches: (query: Query) => boolean = () => true,
): Promise<void> {
  const predicate = (query: Query) => query.state.data === undefined && matches(query);
  await client.cancelQueries({ queryKey, type: "active", predicate });
  await client.invalidateQueries({ queryKey, predicate: matches });
}
