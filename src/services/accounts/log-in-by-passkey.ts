import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { findAccount } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { countPasskeyLogIn, rememberLogIn } from "../auth/begin-attempts.ts";
import type { Client, Services } from "../context.ts";
import { confirmPasskey } from "../passkeys/confirm-passkey.ts";
import { openSession, type Session } from "./open-session.ts";

/**
 * Logs in by passkey. Wrong passwords never refuse it, and it needs no code.
 * @throws ServiceError 403 for a passkey that is unknown or not valid, or an account that is suspended or erased; 429
 */
export async function logInByPasskey(
  services: Services,
  client: Client,
  response: AuthenticationResponseJSON,
): Promise<{ account: Account; session: Session }> {
  await countPasskeyLogIn(services, client);
  const { accountId } = await confirmPasskey(services, response);
  const account = await findAccount(services.directory, accountId);
  if (account === undefined) throw ERRORS.PasskeyRefused();
  const session = await openSession(services, account, client, ERRORS.PasskeyRefused);
  await rememberLogIn(services, client, account.email);
  return { account, session };
}
