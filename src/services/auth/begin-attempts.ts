import { ERRORS } from "../../domain/errors.ts";
import { FAILURES_PER_ADDRESS, PASSKEYS_PER_ADDRESS, TRIES_PER_ADDRESS } from "../../domain/log-in-limits.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { refuseUsedUp } from "../addresses/take-address-rate.ts";
import { noteRate } from "../addresses/used-up-addresses.ts";
import type { Client, Services } from "../context.ts";
import { hashSecret } from "./secrets.ts";
import { type AskedMeter, withdraw } from "./try-password.ts";

/** The meters' answers, for `tryPassword`. `isForgetting`: the caller should call `rememberLogIn` after a log-in. */
export interface BegunAttempts {
  readonly asked: readonly AskedMeter[];
  readonly isForgetting: boolean;
}

/**
 * Begins an attempt of a password by a client without a session: one for the account and one for the address, in
 * concurrent calls. The address's call also counts the request in the minute.
 * @param email lower case; an e-mail without an account is treated alike
 * @throws ServiceError 429 if the address is over its minute's limit
 */
export async function beginLogInAttempts(services: Services, client: Client, email: string): Promise<BegunAttempts> {
  refuseUsedUp(services, client);
  const byAddress = services.addressMeterOf(`ip:${client.address}`);
  const [admission, account] = await Promise.all([
    byAddress.admitAttempt(services.config.addressRatePerMinute, FAILURES_PER_ADDRESS, TRIES_PER_ADDRESS),
    beginAccountAttempt(services, client, email),
  ]);
  client.rate = admission.rate;
  noteRate(client.address, admission.rate);
  if (admission.outcome === "admitted") {
    const countFailure = () => byAddress.countOne(FAILURES_PER_ADDRESS);
    return { asked: [account.asked, { answer: admission.begun, countFailure }], isForgetting: account.isForgetting };
  }
  if ("attempt" in account.asked.answer) await withdraw(account.asked.answer.attempt);
  throw ERRORS.RateLimited(admission.retryAfterSeconds);
}

/** Begins the same attempts for a client in a session, whose request counts against its account. */
export async function beginSessionAttempts(services: Services, client: Client, email: string): Promise<BegunAttempts> {
  const byAddress = services.addressMeterOf(`ip:${client.address}`);
  const [answer, account] = await Promise.all([
    byAddress.beginAttempt(FAILURES_PER_ADDRESS, TRIES_PER_ADDRESS),
    beginAccountAttempt(services, client, email),
  ]);
  const countFailure = () => byAddress.countOne(FAILURES_PER_ADDRESS);
  return { asked: [account.asked, { answer, countFailure }], isForgetting: account.isForgetting };
}

/**
 * Counts a log-in by passkey against its address (AUTH-7), before the signature is verified.
 * @throws ServiceError 429
 */
export async function countPasskeyLogIn(services: LogInMeters, client: Pick<Client, "address">): Promise<void> {
  const waitSeconds = await services.addressMeterOf(`passkey:${client.address}`).countOne(PASSKEYS_PER_ADDRESS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
}

/**
 * Records that a client has logged in, by any means, so that the slow-down of an account under attack does not apply to it. A failure is
 * only logged, because the log-in is valid without the record.
 * @param email lower case
 */
export async function rememberLogIn(
  services: LogInMeters,
  client: Pick<Client, "address">,
  email: string,
): Promise<void> {
  const { meter, digest } = await openLogInMeter(services, client, email);
  await meter.rememberLogIn(digest).catch((error: unknown) => {
    console.error(toLogLine("log-in.not-remembered", {}, error));
  });
}

/** Forgets the addresses that have logged in to an account. */
export async function forgetLogIns(services: LogInMeters, email: string): Promise<void> {
  await services.addressMeterOf(`login:${await hashSecret(email)}`).forgetLogIns();
}

type LogInMeters = Pick<Services, "addressMeterOf">;

async function beginAccountAttempt(services: LogInMeters, client: Client, email: string) {
  const { meter, digest } = await openLogInMeter(services, client, email);
  const answer = await meter.beginLogIn(digest);
  return {
    asked: { answer, countFailure: () => meter.countFailedLogIn(digest) },
    isForgetting: answer.isForgetting,
  };
}

/** The meter of an account's log-ins. It gets only a digest of the address, because it keeps it for months. */
async function openLogInMeter(services: LogInMeters, { address }: Pick<Client, "address">, email: string) {
  const [name, digest] = await Promise.all([hashSecret(email), hashSecret(`${email} ${address}`)]);
  return { meter: services.addressMeterOf(`login:${name}`), digest };
}
