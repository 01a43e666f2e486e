import { findAccountByEmail } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Services } from "../context.ts";
import { countMailTo, requestProof } from "../mail/request-proof.ts";
import { requireMail } from "../mail/require-mail.ts";

/**
 * Gives an account another address, which counts as verified because the operator is responsible for it. It deletes a waiting change by the
 * owner. It may be repeated.
 * @param email the present address, lower case
 * @param to the new address, lower case
 * @throws ServiceError 404, 409 if another account has the new address
 */
export async function setAccountEmail(services: Services, email: string, to: string): Promise<void> {
  const { directory, meterOf, now } = services;
  const { id } = await find(services, email);
  if (await meterOf(id).setEmail({ from: email, email: to, verifiedAt: now() })) return;
  const holder = await findAccountByEmail(directory, to);
  if (holder !== undefined && holder.id !== id) throw ERRORS.EmailTaken();
  throw ERRORS.AccountNotFound();
}

/**
 * Mails a link to a new password to the account's address.
 * @throws ServiceError 404, 403 if no mail can be sent, 429 after three mails in half an hour
 */
export async function sendPasswordReset(services: Services, email: string): Promise<void> {
  await find(services, email);
  requireMail(services.config);
  const waitSeconds = await countMailTo(services, email);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  await requestProof(services, { purpose: "reset-password", email });
}

async function find({ directory }: Pick<Services, "directory">, email: string): Promise<Account> {
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return account;
}
