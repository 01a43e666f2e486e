import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../client.ts";

const PAGE_ITEMS = 20;

/** The account's files that the operator took down, also the ones in the trash, newest first, in pages. */
export function useTakenDown() {
  return useInfiniteQuery({
    queryKey: ["taken-down"],
    queryFn: ({ signal, pageParam: cursor }) =>
      api.imagePage({ takenDown: true, folderId: "all", status: "all", limit: PAGE_ITEMS, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });
}
