import { findAccount, findAccountByEmail } from "../../db/directory/accounts.ts";
import { findMailProofByCode } from "../../db/directory/mail-proofs.ts";
import type { Account, MailProof } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext, Client, Services } from "../context.ts";
import { hashProofCode } from "../mail/proof-secrets.ts";
import { countMailTo, requestProof } from "../mail/request-proof.ts";
import { requireMail } from "../mail/require-mail.ts";
import { getAccount } from "./get-account.ts";
import { findProof, useProof } from "./use-proof.ts";

/** A link's token, or a code with the address that it was sent to. */
export type EmailProof = { readonly token: string } | { readonly email: string; readonly code: string };

/**
 * Verifies the account's address by a mailed link or code (ACC-4). A second use changes nothing.
 * @throws ServiceError 400, 429
 */
export async function verifyEmail(services: Services, client: Client, given: EmailProof): Promise<void> {
  const codeOf = "email" in given ? given.email : undefined;
  await useProof(
    services,
    client,
    async () => {
      const found = "email" in given ? await findByCode(services, given) : await findByToken(services, given.token);
      // The account may have another address now.
      if (found === undefined || found.account.email !== found.proof.email) return undefined;
      return (await markVerified(services, found.account)) || undefined;
    },
    codeOf,
  );
}

/** Records that the account's owner reads the mail of its address. @returns false if the address has changed since */
export async function markVerified(
  { meterOf, now }: Pick<Services, "meterOf" | "now">,
  account: Account,
): Promise<boolean> {
  const { id, email, emailVerifiedAt } = account;
  if (emailVerifiedAt !== null) return true;
  return meterOf(id).setEmail({ from: email, email, verifiedAt: now() });
}

/**
 * Mails another link and code. Does nothing if the address is verified.
 * @throws ServiceError 403 if no mail can be sent, 429
 */
export async function resendVerification(context: AccountContext): Promise<void> {
  requireMail(context.config);
  const { id, email, emailVerifiedAt } = await getAccount(context);
  if (emailVerifiedAt !== null) return;
  const waitSeconds = await countMailTo(context, email);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  await requestProof(context, { purpose: "verify-email", accountId: id });
}

interface Found {
  readonly proof: MailProof;
  readonly account: Account;
}

async function findByToken(services: Services, token: string): Promise<Found | undefined> {
  const proof = await findProof(services, token, ["verify-email"]);
  const account = proof && (await findAccount(services.directory, proof.accountId));
  return account && { proof, account };
}

async function findByCode(
  { directory, now }: Services,
  { email, code }: { readonly email: string; readonly code: string },
): Promise<Found | undefined> {
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) return undefined;
  const proof = await findMailProofByCode(directory, account.id, await hashProofCode(account.id, code), now());
  return proof && { proof, account };
}
