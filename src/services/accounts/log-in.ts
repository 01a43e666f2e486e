import { findAccountByEmail } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { noteRate } from "../addresses/known-addresses.ts";
import { refuseUsedUp } from "../addresses/take-address-rate.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { hashSecret } from "../auth/secrets.ts";
import { type AskedMeter, FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS, tryPassword } from "../auth/try-password.ts";
import type { Client, Services } from "../context.ts";
import { openSession, type Session } from "./open-session.ts";

/**
 * Logs in by email and password. An unknown email and a wrong password look the same, in words and in time; failures are
 * limited for the address and for the email. It takes three calls to Durable Objects: the meters of both at the same time
 * (the address's counts the request as well), then the account's.
 * @param email lower case
 * @throws ServiceError 401, 429
 */
export async function logIn(
  services: Services,
  client: Client,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<{ account: Account; session: Session }> {
  refuseUsedUp(services, client);
  const account = await tryPassword(await beginTrials(services, client, email), async () => {
    const found = await findAccountByEmail(services.directory, email);
    return (await verifyPassword(password, found?.passwordHash)) ? found : undefined;
  });
  if (account === undefined) throw ERRORS.WrongCredentials();
  return { account, session: await openSession(services, account) };
}

/** @throws ServiceError 429 where the address has used up its minute */
async function beginTrials(services: Services, client: Client, email: string): Promise<AskedMeter[]> {
  const byEmail = services.addressMeterOf(`login:${await hashSecret(email)}`);
  const byAddress = services.addressMeterOf(`ip:${client.address}`);
  const [admission, trial] = await Promise.all([
    byAddress.admitTrial(services.config.addressRatePerMinute, FAILURES_PER_ADDRESS),
    byEmail.beginTrial(FAILURES_PER_ACCOUNT),
  ]);
  client.rate = admission.rate;
  noteRate(client.address, admission.rate);
  if (admission.outcome === "admitted") {
    return [
      { meter: byAddress, limit: FAILURES_PER_ADDRESS, answer: admission.begun },
      { meter: byEmail, limit: FAILURES_PER_ACCOUNT, answer: trial },
    ];
  }
  if ("trial" in trial) trial.trial[Symbol.dispose]();
  throw ERRORS.RateLimited(admission.retryAfterSeconds);
}
