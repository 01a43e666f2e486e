import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";
import { setSession } from "../session-store.ts";

/** Whose session this is. The first answer opens the session for the page. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: async ({ signal }) => {
    const account = await api.account.get({ signal });
    setSession("open", account._id);
    return account;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export function useAccount() {
  return useQuery(accountQuery);
}
