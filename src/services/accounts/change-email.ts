import { findAccount, findAccountByEmail } from "../../db/directory/accounts.ts";
import { confirmEmailChange, putEmailChange } from "../../db/directory/email-changes.ts";
import type { EmailChange } from "../../db/directory/schema.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext, Client, Services } from "../context.ts";
import { countMailTo, requestProof } from "../mail/request-proof.ts";
import { requireMail } from "../mail/require-mail.ts";
import { getAccount } from "./get-account.ts";
import { requireSession } from "./require-session.ts";
import { findProof, useProof } from "./use-proof.ts";

const CHANGE_MS = DAY_MS;
/** Each change sends two mails. */
const CHANGES_PER_ACCOUNT = { count: 5, windowSeconds: 24 * 60 * 60 } as const;

/** An address that still has to confirm a change. */
export type WaitingFor = "old" | "new";

/**
 * Requests a change of the address (ACC-6). Both addresses have to confirm it by mailed links. The present one confirms only if it was
 * verified, because a mistyped address could never confirm. The answer does not reveal whether the new address has an account. A second
 * request replaces the first, whose links become invalid.
 * @param email lower case
 * @returns the addresses that get a mail
 * @throws ServiceError 400 for the present address, 403 for a key or if no mail can be sent, 429
 */
export async function requestEmailChange(context: AccountContext, email: string): Promise<WaitingFor[]> {
  requireSession(context.principal);
  requireMail(context.config);
  const account = await getAccount(context);
  if (account.email === email) throw ERRORS.InvalidRequest({ email: "This is the account's address already" });
  const { accountId, directory, now } = context;
  const waits = [
    await context.addressMeterOf(`email-change:${accountId}`).countOne(CHANGES_PER_ACCOUNT),
    await countMailTo(context, email),
  ];
  if (Math.max(...waits) > 0) throw ERRORS.TooManyAttempts(Math.max(...waits));
  const isOldVerified = account.emailVerifiedAt !== null;
  const change: EmailChange = {
    accountId,
    id: crypto.randomUUID(),
    fromEmail: account.email,
    toEmail: email,
    fromConfirmedAt: isOldVerified ? null : now(),
    toConfirmedAt: null,
    expiresAt: now() + CHANGE_MS,
  };
  await putEmailChange(directory, change);
  const changeId = change.id;
  await requestProof(context, { purpose: "confirm-new-email", accountId, changeId });
  if (isOldVerified) await requestProof(context, { purpose: "confirm-old-email", accountId, changeId });
  return waitingFor(change);
}

/**
 * Confirms a change of the address by a mailed link, and makes it when both addresses have confirmed (ACC-6).
 * @returns the address that still has to confirm; none after the change
 * @throws ServiceError 400, 409 if another account has taken the address since, 429
 */
export async function confirmEmail(services: Services, client: Client, token: string): Promise<WaitingFor[]> {
  return useProof(services, client, async () => {
    const proof = await findProof(services, token, ["confirm-old-email", "confirm-new-email"]);
    if (proof === undefined) return undefined;
    const { accountId, validFor: changeId, purpose } = proof;
    const side = purpose === "confirm-old-email" ? "from" : "to";
    const change = await confirmEmailChange(services.directory, { accountId, changeId, side, now: services.now() });
    // A second use of a link is no error, because people click twice.
    if (change === undefined) return (await isMade(services, accountId, proof.email, side)) ? [] : undefined;
    const waiting = waitingFor(change);
    if (waiting.length === 0 && !(await setEmail(services, change))) return undefined;
    return waiting;
  });
}

/** @throws ServiceError 409 */
async function setEmail(services: Services, { accountId, fromEmail, toEmail }: EmailChange): Promise<boolean> {
  const setting = { from: fromEmail, email: toEmail, verifiedAt: services.now() };
  if (await services.meterOf(accountId).setEmail(setting)) return true;
  const holder = await findAccountByEmail(services.directory, toEmail);
  if (holder !== undefined && holder.id !== accountId) throw ERRORS.EmailTaken();
  return false;
}

async function isMade(
  { directory }: Services,
  accountId: string,
  email: string,
  side: "from" | "to",
): Promise<boolean> {
  return side === "to" && (await findAccount(directory, accountId))?.email === email;
}

function waitingFor({ fromConfirmedAt, toConfirmedAt }: EmailChange): WaitingFor[] {
  return [
    ...(fromConfirmedAt === null ? (["old"] as const) : []),
    ...(toConfirmedAt === null ? (["new"] as const) : []),
  ];
}
