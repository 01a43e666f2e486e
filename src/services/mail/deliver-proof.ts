import { findAccount, findAccountByEmail } from "../../db/directory/accounts.ts";
import { findEmailChange } from "../../db/directory/email-changes.ts";
import { insertMailProof } from "../../db/directory/mail-proofs.ts";
import type { Account } from "../../db/directory/schema.ts";
import { PROOF_MS, type ProofPurpose } from "../../domain/mail-proofs.ts";
import type { ProofRequested } from "../../domain/queue-messages.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { MailContext } from "./deliver-mail.ts";
import { MailError } from "./mail.ts";
import { hashProofCode, newProofCode, newProofToken } from "./proof-secrets.ts";
import { renderMail } from "./templates/index.ts";

/** The pages of the links. The token is in the fragment, which browsers send to no server, not even as a referrer. */
const PAGES: Readonly<Record<ProofPurpose, string>> = {
  "verify-email": "/dashboard/verify",
  "reset-password": "/dashboard/reset",
  "confirm-old-email": "/dashboard/confirm-email",
  "confirm-new-email": "/dashboard/confirm-email",
};

/** A link that has to be made. */
interface Wanted {
  readonly accountId: string;
  readonly to: string;
  readonly validFor: string;
  /** The address that an e-mail change sets; empty for the other purposes. */
  readonly newEmail: string;
}

/**
 * Makes a link and mails it. The link is valid from now on, for any time that the queue waited. Does nothing if the link is no longer
 * wanted: the account was erased or verified, or the change was replaced.
 * @throws MailError, and errors of the directory
 */
export async function deliverProof(context: MailContext, message: ProofRequested): Promise<void> {
  const { directory, mailer, now } = context;
  const { purpose, origin } = message;
  if (mailer === undefined) throw new MailError("no sender is set up");
  const wanted = await findWanted(context, message);
  if (wanted === undefined) return;
  const { accountId, to, validFor, newEmail } = wanted;
  if (purpose === "confirm-new-email" && (await findAccountByEmail(directory, to)) !== undefined) {
    // Only the owner of the address learns that it has an account.
    return mailer.send({ to, ...renderMail("email-in-use", {}, { origin }) }, crypto.randomUUID());
  }
  const token = newProofToken();
  const code = purpose === "verify-email" ? newProofCode() : undefined;
  const hash = await hashSecret(token);
  const createdAt = now();
  const codeHash = code === undefined ? null : await hashProofCode(accountId, code);
  const expiresAt = createdAt + PROOF_MS[purpose];
  await insertMailProof(directory, { hash, accountId, purpose, email: to, validFor, codeHash, createdAt, expiresAt });
  const url = `${origin}${PAGES[purpose]}#${token}`;
  const mail = renderProof(purpose, { url, code: code ?? "", newEmail }, origin);
  await mailer.send({ to, ...mail }, hash.slice(0, 32));
}

function renderProof(
  purpose: ProofPurpose,
  { url, code, newEmail }: { url: string; code: string; newEmail: string },
  origin: string,
) {
  switch (purpose) {
    case "verify-email":
      return renderMail("verify-email", { url, code }, { origin });
    case "reset-password":
      return renderMail("reset-password", { url }, { origin });
    case "confirm-old-email":
      return renderMail("confirm-old-email", { url, newEmail }, { origin });
    case "confirm-new-email":
      return renderMail("confirm-new-email", { url }, { origin });
  }
}

async function findWanted({ directory, now }: MailContext, message: ProofRequested): Promise<Wanted | undefined> {
  const account =
    "email" in message
      ? await findAccountByEmail(directory, message.email)
      : await findAccount(directory, message.accountId);
  if (account === undefined || isClosed(account)) return undefined;
  const { id: accountId, email } = account;
  switch (message.purpose) {
    case "verify-email":
      return account.emailVerifiedAt === null ? { accountId, to: email, validFor: "", newEmail: "" } : undefined;
    case "reset-password":
      return { accountId, to: email, validFor: await hashSecret(account.passwordHash), newEmail: "" };
    case "confirm-old-email":
    case "confirm-new-email": {
      const change = await findEmailChange(directory, accountId, message.changeId, now());
      if (change === undefined || change.fromEmail !== email) return undefined;
      const { id: validFor, toEmail: newEmail } = change;
      return { accountId, to: message.purpose === "confirm-old-email" ? email : newEmail, validFor, newEmail };
    }
  }
}

/** An erasure first replaces the e-mail by a text that is no address. */
function isClosed({ id, email }: Account): boolean {
  return email === `erased:${id}`;
}
