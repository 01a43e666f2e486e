import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { ERRORS } from "../../domain/errors.ts";
import { RECENT_PROOF_MS } from "../auth/recent-proof.ts";
import type { AccountContext } from "../context.ts";
import { confirmPasskey } from "../passkeys/confirm-passkey.ts";
import { confirmCode } from "../second-factor/confirm-code.ts";
import { confirmPassword } from "./confirm-password.ts";
import { requireSession } from "./require-session.ts";

export type Proof =
  | { readonly password: string }
  /** A code of the authenticator app, or a recovery code. */
  | { readonly code: string }
  | { readonly passkey: AuthenticationResponseJSON };

/**
 * Proves that the session's user is the account's owner (SIGN-1).
 * @returns the time until which the proof is valid, in milliseconds
 * @throws ServiceError 403 for a wrong password, code or passkey; 429 after too many
 */
export async function reauthenticate(context: AccountContext, proof: Proof): Promise<number> {
  const sessionId = requireSession(context.principal);
  if ("password" in proof) await confirmPassword(context, proof.password);
  else if ("code" in proof) await confirmCode(context, context.accountId, proof.code);
  else if ((await confirmPasskey(context, proof.passkey)).accountId !== context.accountId)
    throw ERRORS.PasskeyRefused();
  return (await context.meter.proveSession(sessionId)) + RECENT_PROOF_MS;
}
