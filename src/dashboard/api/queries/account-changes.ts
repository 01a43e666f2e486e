import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Account, AccountChange, Login, MediaHostError, Registration } from "../../../client/index.ts";
import { api } from "../client.ts";
import { announceLogOut, setEnding, setSession } from "../session-store.ts";
import { setSuspension } from "../suspension-store.ts";
import { forgetUsage } from "../usage-store.ts";

/** Whether registration is open, and the site key of the anti-bot check. */
export function useRegistrationMode() {
  return useQuery({ queryKey: ["registration"], queryFn: ({ signal }) => api.auth.registration({ signal }) });
}

/** Registers and logs in. Only this response contains the upload key. */
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

/** Logs in. The response sets the session cookie; its token is not used. */
export function useLogIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Login) => api.auth.logIn(body),
    onSuccess: ({ account }) => openSession(queries, account),
  });
}

/** Shows the account of a log-in and fetches everything else again. Held requests are sent. */
export async function openSession(queries: QueryClient, account: Account): Promise<void> {
  queries.setQueryData(["account"], account);
  setSuspension(undefined);
  setSession("open", account._id);
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account" });
}

/** Changes the name or the password. A new password ends all other sessions. */
export function useUpdateAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AccountChange) => api.account.update(body),
    onSuccess: async (account) => {
      // A read from before the change would bring back the old values.
      await queries.cancelQueries({ queryKey: ["account"] });
      queries.setQueryData(["account"], account);
    },
  });
}

/** Erases the account with all its data, which ends the session. The data is null if the answer with the receipt was lost. */
export function useEraseAccount() {
  return useMutation({
    mutationFn: async (password: string) => (await api.account.delete({ password })) ?? null,
    onMutate: () => setEnding(true),
    onSuccess: announceLogOut,
    onError: ({ statusCode }: MediaHostError) => {
      setEnding(false);
      // The session was over before. The user logs in again, and repeats the erasure.
      if (statusCode === 401) setSession("over");
    },
  });
}
