import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";

/** The storage and operations that the account has used. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => api.stats({ signal }),
  gcTime: Number.POSITIVE_INFINITY,
});

export function useOverview() {
  return useQuery(overviewQuery);
}
