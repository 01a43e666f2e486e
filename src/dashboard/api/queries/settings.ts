import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SettingsChange } from "../../../client/index.ts";
import { api } from "../client.ts";

/** How uploaded images are compressed. */
export function useSettings() {
  return useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => api.settings.get({ signal }),
    staleTime: 10_000,
    // Another tab may have changed them.
    refetchOnWindowFocus: true,
  });
}

export function useUpdateSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsChange) => api.settings.update(body),
    onSuccess: async (settings) => {
      // A read from before the change would bring back the old values.
      await queries.cancelQueries({ queryKey: ["settings"] });
      queries.setQueryData(["settings"], settings);
    },
  });
}
