import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LogPageQuery } from "../../../client/index.ts";
import { api } from "../client.ts";

/** The operations of each day, from this day (UTC) to today. */
export function useOperationDays(from: string | undefined) {
  return useQuery({
    queryKey: ["overview", "days", from],
    queryFn: ({ signal }) => api.operationDays({ from, to: undefined }, { signal }),
    enabled: from !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** A page of the operation log (Pro and Business). */
export function useLogPage(query: LogPageQuery) {
  return useQuery({
    queryKey: ["logs", query],
    queryFn: ({ signal }) => api.logPage(query, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
}

/** Usage alerts of the last year, newest first (Pro and Business). */
export function useAlerts() {
  return useQuery({ queryKey: ["alerts"], queryFn: ({ signal }) => api.alerts({ signal }) });
}
