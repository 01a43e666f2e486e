import { findAccountByEmail } from "../../db/queries/accounts.ts";
import type { Account } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { Services } from "../context.ts";
import { openSession, type Session } from "./open-session.ts";

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;

/**
 * Logs in by email and password. An unknown email and a wrong password look the same, in words and in time; failures are
 * limited for the address and for the email.
 * @param email lower case
 * @throws ServiceError 401, 429
 */
export async function logIn(
  services: Services,
  { email, password, address }: { readonly email: string; readonly password: string; readonly address: string },
): Promise<{ account: Account; session: Session }> {
  const byAddress = services.addressMeterOf(`ip:${address}`);
  const byEmail = services.addressMeterOf(`login:${await hashSecret(email)}`);
  const waitSeconds = Math.max(
    await byAddress.attempt(FAILURES_PER_ADDRESS, WINDOW_SECONDS),
    await byEmail.attempt(FAILURES_PER_ACCOUNT, WINDOW_SECONDS),
  );
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  const account = await findAccountByEmail(services.db, email);
  const matches = await verifyPassword(password, account?.passwordHash);
  if (account === undefined || !matches) throw ERRORS.WrongCredentials();
  const session = await openSession(services, account);
  await Promise.all([byAddress.forgive(), byEmail.forgive()]);
  return { account, session };
}
