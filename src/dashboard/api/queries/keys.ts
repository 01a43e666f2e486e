import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Key, KeyRequest } from "../../../client/index.ts";
import { api } from "../client.ts";
import { forgetFreshKey, keepFreshKey } from "../fresh-key.ts";

/** The counts are about half a minute late anyway. */
const ANALYTICS_STALE_MS = 60_000;

/** The account's keys, newest first, without their secrets. */
export function useKeys() {
  return useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => api.keys.list({ signal }),
    staleTime: 5000,
    refetchOnWindowFocus: true,
  });
}

/** A key's requests of the last 30 days (Pro and Business). @param isWanted loads only if true */
export function useKeyAnalytics(id: string, isWanted = true) {
  return useQuery({
    queryKey: ["key-analytics", id],
    queryFn: ({ signal }) => api.keys.analytics(id, undefined, { signal }),
    enabled: isWanted,
    staleTime: ANALYTICS_STALE_MS,
  });
}

/** Creates an API key. Only this response contains the secret. */
export function useCreateKey() {
  return useNewKey((body: KeyRequest) => api.keys.create(body));
}

/** Replaces the upload key. The old key stops working at once. */
export function useRegenerateUploadKey() {
  return useNewKey(() => api.keys.regenerateUploadKey());
}

function useNewKey<Body>(make: (body: Body) => ReturnType<typeof api.keys.create>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: make,
    onSuccess: (made) => {
      keepFreshKey(made);
      const { key: _, ...listed } = made;
      queries.setQueryData<Key[]>(["keys"], (keys) => keys && [listed, ...keys]);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
}

/** Revokes a key. The service rejects it once it has responded. */
export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.keys.delete(id),
    onSuccess: (_, id) => {
      forgetFreshKey(id);
      queries.setQueryData<Key[]>(["keys"], (keys) => keys?.filter(({ _id }) => _id !== id));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
}
