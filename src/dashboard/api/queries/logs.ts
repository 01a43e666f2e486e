import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LogPageQuery } from "../../../client/index.ts";
import { api } from "../client.ts";

/** One page of the operation log: Pro and Business. */
export function useLogPage(query: LogPageQuery) {
  return useQuery({
    queryKey: ["logs", query],
    queryFn: ({ signal }) => api.logPage(query, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
}
