import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { AccountChange } from "../../../client/index.ts";
import { api } from "../client.ts";
import { announceLogOut, setEnding } from "../session-store.ts";

/** Changes the name, or the password: that ends every other session. */
export function useUpdateAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AccountChange) => api.account.update(body),
    onSuccess: (account) => queries.setQueryData(["account"], account),
  });
}

/** Erases the account and everything that it stores. The session ends with it. */
export function useEraseAccount() {
  return useMutation({
    mutationFn: (password: string) => api.account.delete({ password }),
    onMutate: () => setEnding(true),
    onSuccess: announceLogOut,
    onError: () => setEnding(false),
  });
}
