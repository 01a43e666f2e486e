import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  Passkey,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyRequest,
  Reauthenticated,
  Session,
} from "../../../client/types.ts";
import { connection } from "../client.ts";
import { openSession } from "./account-changes.ts";

const KEY = ["passkeys"];

/** Whether this browser has passkeys. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential !== "undefined";
}

/** Asks the user for a passkey. The code for passkeys is loaded on demand. @throws DOMException if the user refuses */
async function askForPasskey(): Promise<PasskeyAnswer> {
  const optionsJSON = await connection.call<PasskeyRequest>("POST", "/auth/passkey/options");
  const { startAuthentication } = await import("@simplewebauthn/browser");
  return (await startAuthentication({ optionsJSON })) as PasskeyAnswer;
}

/** Logs in by passkey. The response sets the session cookie. */
export function useLogInByPasskey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => connection.call<Session>("POST", "/auth/passkey", { body: await askForPasskey() }),
    onSuccess: ({ account }) => openSession(queries, account),
  });
}

/** Proves by passkey that the user is the account's owner. */
export function useProveByPasskey() {
  return useMutation({
    mutationFn: async () =>
      connection.call<Reauthenticated>("POST", "/auth/reauthenticate", { body: { passkey: await askForPasskey() } }),
  });
}

/** The account's passkeys. Another tab or device may add or remove one. */
export function usePasskeys() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await connection.call<{ passkeys: Passkey[] }>("GET", "/passkeys", { signal })).passkeys,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** Makes a passkey in the browser and adds it to the account. */
export function useAddPasskey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const optionsJSON = await connection.call<PasskeyCreation>("POST", "/passkeys/options");
      const { startRegistration } = await import("@simplewebauthn/browser");
      const response = await startRegistration({ optionsJSON: optionsJSON as never });
      return connection.call<Passkey>("POST", "/passkeys", { body: { name, ...response } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemovePasskey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => connection.call("DELETE", `/passkeys/${encodeURIComponent(id)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
