import { useMutation } from "@tanstack/react-query";
import type { Reauthenticated, Reauthentication } from "../../../client/types.ts";
import { connection } from "../client.ts";

/** Proves that the user is the account's owner, for changes that a stolen session must not make. */
export function useProve() {
  return useMutation({
    mutationFn: (body: Reauthentication) => connection.call<Reauthenticated>("POST", "/auth/reauthenticate", { body }),
  });
}
