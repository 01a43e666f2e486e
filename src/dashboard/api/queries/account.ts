import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";
import { announceLogOut, setSession } from "../session-store.ts";

/** The codes of a 401: the session has expired or was ended elsewhere. */
const NO_SESSION = ["authorization_required", "invalid_session", "invalid_key"];

/** The account that is logged in. The first response opens the session for the page. */
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

/** Logs out, here and in the other tabs. */
export function useLogOut() {
  return useMutation({
    mutationFn: () =>
      api.auth.logOut().catch((error) => {
        if (!NO_SESSION.includes(error.code)) throw error;
      }),
    onSuccess: () => {
      announceLogOut();
      // A full page load clears the account's data from memory.
      location.assign("/dashboard/login");
    },
  });
}
