import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Preset } from "../../../client/types.ts";
import { api, connection } from "../client.ts";

const KEY = ["presets"];
const PATH = "/settings/presets";

const pathOf = (name: string) => `${PATH}/${encodeURIComponent(name)}`;

/** The account's presets, by name. An account has few, so one page has them all. */
export function usePresets() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const query = { limit: 100 };
      return (await connection.call<{ presets: Preset[] }>("GET", PATH, { query, signal })).presets;
    },
    staleTime: 10_000,
    // Another tab may have changed them.
    refetchOnWindowFocus: true,
  });
}

/** Adds or replaces a preset. The service writes the parameters in their order and with their short names. */
export function usePutPreset() {
  return usePresetChange(({ name, parameters }: Preset) =>
    connection.call<Preset>("PUT", pathOf(name), { body: { parameters } }),
  );
}

export function useDeletePreset() {
  return usePresetChange((name: string) => connection.call<unknown>("DELETE", pathOf(name)));
}

/** The newest public image, on which a preset is tried; null if there is none. */
export function useSampleImage() {
  return useQuery({
    queryKey: ["sample-image"],
    queryFn: async ({ signal }) => {
      const query = { folderId: "all", mimePrefix: "image/", visibility: "public", limit: 1 } as const;
      return (await api.imagePage(query, { signal })).images[0] ?? null;
    },
  });
}

/** Afterwards the presets are read again. */
function usePresetChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) });
}
