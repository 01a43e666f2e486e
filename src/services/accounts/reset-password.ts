import { findAccount } from "../../db/directory/accounts.ts";
import { listKeys } from "../../db/directory/keys.ts";
import { deletePasskeysSince } from "../../db/directory/passkeys.ts";
import type { Account } from "../../db/directory/schema.ts";
import { deleteSecondFactor } from "../../db/directory/second-factors.ts";
import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { rememberLogIn } from "../auth/begin-attempts.ts";
import { hashPassword } from "../auth/passwords.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { Client, Services } from "../context.ts";
import { countMailTo, requestProof } from "../mail/request-proof.ts";
import { requireMail } from "../mail/require-mail.ts";
import { sendMail } from "../mail/send-mail.ts";
import { findProof, useProof } from "./use-proof.ts";
import { markVerified } from "./verify-email.ts";

/** Requests for new passwords by one address. */
const REQUESTS_PER_ADDRESS = { count: 20, windowSeconds: 60 * 60 } as const;

/**
 * Asks for a mail with a link to a new password (ACC-5). The same work is done for every address: the queue's consumer
 * looks for the account. An address that got three mails in half an hour gets no further one, and the answer is the
 * same.
 * @param email lower case
 * @throws ServiceError 403 if no mail can be sent, 429 after too many requests of the client
 */
export async function requestPasswordReset(services: Services, client: Client, email: string): Promise<void> {
  requireMail(services.config);
  const waitSeconds = await services.addressMeterOf(`forgot:${client.address}`).countOne(REQUESTS_PER_ADDRESS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  if ((await countMailTo(services, email)) > 0) return;
  await requestProof(services, { purpose: "reset-password", email });
}

/**
 * Sets a new password by a mailed link, and ends all sessions (ACC-5). The link is valid for one password: any change of
 * the password voids it. Its user reads the account's mail, so the address is verified as well.
 * @throws ServiceError 400, 429, 503
 */
export async function resetPassword(
  services: Services,
  client: Client,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const account = await useProof(services, client, async () => {
    const found = await findOwner(services, token);
    if (found === undefined) return undefined;
    const passwordHash = await hashPassword(password);
    const meter = services.meterOf(found.id);
    const revoked = await listDoubtfulKeys(services, found);
    const isDoubtful = found.emailVerifiedAt === null;
    if (isDoubtful) await removeSignIns(services, found);
    if (!(await meter.resetPassword(passwordHash, found.passwordHash, revoked))) return undefined;
    // A session that has just ended may have added some.
    if (isDoubtful) await removeSignIns(services, found);
    for (const id of await listDoubtfulKeys(services, found)) await meter.revokeKey(id);
    return found;
  });
  // The password is set. An address that stays unverified can be verified later.
  await markVerified(services, account).catch((error: unknown) =>
    console.error(toLogLine("account.not-marked-verified", { accountId: account.id }, error)),
  );
  await sendMail(services, { to: account.email, template: "password-changed", values: {} });
  // An attack must not slow the owner down at the log-in that follows.
  await rememberLogIn(services, client, account.email);
}

async function findOwner(services: Services, token: string): Promise<Account | undefined> {
  const proof = await findProof(services, token, ["reset-password"]);
  const account = proof && (await findAccount(services.directory, proof.accountId));
  if (account === undefined || account.email !== proof?.email) return undefined;
  return (await hashSecret(account.passwordHash)) === proof.validFor ? account : undefined;
}

/** Removes passkeys and authenticator of an unverified account: somebody else may have opened it with this address. */
async function removeSignIns({ directory }: Services, { id }: Account): Promise<void> {
  await deletePasskeysSince(directory, id, 0);
  await deleteSecondFactor(directory, id);
}

/** The keys of an account that still had to be verified: somebody else may have opened it with this address. */
async function listDoubtfulKeys({ directory }: Services, { id, verifyBy }: Account): Promise<string[]> {
  return verifyBy === null ? [] : (await listKeys(directory, id)).map((key) => key.id);
}
