import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Key, KeyRequest } from "../../../client/index.ts";
import { api } from "../client.ts";

/** Counts come half a minute late in any case. */
const ANALYTICS_STALE_MS = 60_000;

/** The account's keys, newest first, without their secrets. */
export function useKeys() {
  return useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => api.keys.list({ signal }), staleTime: 15_000 });
}

/** What was done with a key in the last 30 days: Pro and Business. @param isWanted asks only then */
export function useKeyAnalytics(id: string, isWanted = true) {
  return useQuery({
    queryKey: ["key-analytics", id],
    queryFn: ({ signal }) => api.keys.analytics(id, undefined, { signal }),
    enabled: isWanted,
    staleTime: ANALYTICS_STALE_MS,
  });
}

/** Makes an API key; its secret is in the answer, this once. */
export function useCreateKey() {
  return useNewKey((body: KeyRequest) => api.keys.create(body));
}

/** Makes another upload key in place of the old one, which stops at once. */
export function useRegenerateUploadKey() {
  return useNewKey(() => api.keys.regenerateUploadKey());
}

function useNewKey<Body>(make: (body: Body) => ReturnType<typeof api.keys.create>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: make, onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }) });
}

/** Revokes a key: from its answer on, the key is refused. */
export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.keys.delete(id),
    onSuccess: (_, id) => {
      queries.setQueryData<Key[]>(["keys"], (keys) => keys?.filter(({ _id }) => _id !== id));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
}
