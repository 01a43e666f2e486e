import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";

/** The operations of each day, from this one (UTC) to today. */
export function useOperationDays(from: string | undefined) {
  return useQuery({
    queryKey: ["overview", "days", from],
    queryFn: ({ signal }) => api.operationDays({ from, to: undefined }, { signal }),
    enabled: from !== undefined,
    placeholderData: keepPreviousData,
  });
}
