import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { NewShare, ShareChange } from "../../../client/types.ts";
import { api } from "../client.ts";

const KEY = ["shares"];
const PAGE_SIZE = 50;

/** The account's shares in pages, newest first. */
export function useShares() {
  return useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ signal, pageParam: cursor }) => api.shares.list({ limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    staleTime: 10_000,
  });
}

export function useCreateShare() {
  return useShareChange((body: NewShare) => api.shares.create(body));
}

export function useUpdateShare(id: string) {
  return useShareChange((body: ShareChange) => api.shares.update(id, body));
}

/** Ends a share. Its page is gone at once. */
export function useDeleteShare() {
  return useShareChange((id: string) => api.shares.delete(id));
}

/** Afterwards the shares that are shown are read again. */
function useShareChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}
