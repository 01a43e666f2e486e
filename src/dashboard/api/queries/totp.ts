import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { NewTotp, RecoveryCodes, Totp } from "../../../client/types.ts";
import { connection } from "../client.ts";

const KEY = ["totp"];

/** Whether log-ins by password need a code. Another tab or device may change it. */
export function useTotp() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => connection.call<Totp>("GET", "/account/totp", { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** Makes the secret for an authenticator app. Only this response contains it. */
export function useBeginTotp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => connection.call<NewTotp>("POST", "/account/totp"),
    // Another tab may have confirmed an app.
    onError: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Confirms the app. Only this response contains the recovery codes. If it is lost, the app may be on. */
export function useConfirmTotp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => connection.call<RecoveryCodes>("POST", "/account/totp/confirm", { body: { code } }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** Replaces the recovery codes: the earlier ones stop working. Only this response contains the new ones. */
export function useRenewRecoveryCodes() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => connection.call<RecoveryCodes>("POST", "/account/totp/recovery-codes"),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemoveTotp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => connection.call("DELETE", "/account/totp"),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
