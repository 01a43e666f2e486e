import { findAccountByEmail } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { findSecondFactor } from "../../db/directory/second-factors.ts";
import { ERRORS } from "../../domain/errors.ts";
import { beginLogInAttempts, rememberLogIn } from "../auth/begin-attempts.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { tryPassword } from "../auth/try-password.ts";
import type { Client, Services } from "../context.ts";
import { confirmCode } from "../second-factor/confirm-code.ts";
import { openSession, type Session } from "./open-session.ts";

/**
 * Logs in by e-mail and password. An unknown e-mail and a wrong password have the same answer after the same time;
 * failures are limited for the account and the address (AUTH-7). It makes three calls to Durable Objects: both meters
 * concurrently (the address's also counts the request), then the account's. The first log-in from an address makes a
 * fourth call.
 * @param email lower case
 * @throws ServiceError 401, also without the code of an account with an authenticator; 403 for a wrong code; 429
 */
export async function logIn(
  services: Services,
  client: Client,
  { email, password, code }: { readonly email: string; readonly password: string; readonly code?: string | undefined },
): Promise<{ account: Account; session: Session }> {
  const { asked, isForgetting } = await beginLogInAttempts(services, client, email);
  const account = await tryPassword(asked, async () => {
    const found = await findAccountByEmail(services.directory, email);
    return (await verifyPassword(password, found?.passwordHash)) ? found : undefined;
  });
  if (account === undefined) throw ERRORS.WrongCredentials();
  await confirmSecondFactor(services, account.id, code);
  const session = await openSession(services, account, client, ERRORS.WrongCredentials);
  if (isForgetting) await rememberLogIn(services, client, email);
  return { account, session };
}

/** @throws ServiceError 401 if the account has an authenticator and there is no code, 403 for a wrong code, 429 */
async function confirmSecondFactor(services: Services, accountId: string, code: string | undefined): Promise<void> {
  const factor = await findSecondFactor(services.directory, accountId);
  if (factor === undefined || factor.confirmedAt === null) return;
  if (code === undefined) throw ERRORS.SecondFactorRequired();
  await confirmCode(services, accountId, code);
}
