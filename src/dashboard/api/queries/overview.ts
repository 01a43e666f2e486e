import { useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";

/** What the account stores and has used. */
export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => api.stats({ signal }),
    gcTime: Number.POSITIVE_INFINITY,
  });
}
