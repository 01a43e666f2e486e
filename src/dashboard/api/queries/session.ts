import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Login, Registration } from "../../../client/index.ts";
import { api } from "../client.ts";
import { announceLogOut, setSession } from "../session-store.ts";
import { forgetUsage } from "../usage-store.ts";

/** Who may open an account here, and what a registration has to bring. */
export function useRegistrationMode() {
  return useQuery({ queryKey: ["registration"], queryFn: ({ signal }) => api.auth.registration({ signal }) });
}

/** Logs in; the answer's token is not looked at, as the cookie came with it. */
export function useLogIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Login) => api.auth.logIn(body),
    onSuccess: async ({ account }) => {
      queries.setQueryData(["account"], account);
      setSession("open", account._id);
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account" });
    },
  });
}

/** Opens an account, logged in. Its upload key is in the answer, this once. */
export function useRegister() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Registration) => api.auth.register(body),
    onSuccess: ({ account }) => {
      queries.clear();
      forgetUsage();
      queries.setQueryData(["account"], account);
      setSession("open", account._id);
    },
  });
}

/** Ends the session, here and in the other tabs. */
export function useLogOut() {
  return useMutation({
    mutationFn: () => api.auth.logOut(),
    onSuccess: () => {
      announceLogOut();
      // A page that starts anew holds nothing of the account.
      location.assign("/dashboard/login");
    },
  });
}
