import { type Query, type QueryCache, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** A page takes 50 KB. The pages that the user left last are shown again without a request. */
export const MOST_UNUSED = 8;

/** Keeps the memory of a long scroll flat. */
export function usePageLimit(): void {
  const client = useQueryClient();
  useEffect(() => limitPages(client.getQueryCache()), [client]);
}

/** Removes pages of listings that are not shown, the longest unused first, until at most `MOST_UNUSED` are left. @returns stops it */
export function limitPages(cache: QueryCache): () => void {
  const unused = new Set<Query>();
  return cache.subscribe(({ type, query }) => {
    if (query.queryKey[0] !== "images" || typeof query.queryKey[2] !== "number") return;
    unused.delete(query);
    if (type === "removed" || query.getObserversCount() > 0) return;
    // A fast scroll passes pages that are never fetched.
    if (query.state.data === undefined) {
      if (type === "observerRemoved" && isIdle(query)) cache.remove(query);
      return;
    }
    unused.add(query);
    for (const oldest of unused) {
      if (unused.size <= MOST_UNUSED) return;
      if (isIdle(oldest)) cache.remove(oldest);
    }
  });
}

/** A reader may wait for a page that is being fetched. */
function isIdle({ state }: Query): boolean {
  return state.fetchStatus === "idle";
}
