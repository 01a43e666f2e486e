import { updateName } from "../../db/directory/accounts.ts";
import { listKeys } from "../../db/directory/keys.ts";
import { deletePasskeysSince } from "../../db/directory/passkeys.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { PASSWORD_CHANGES } from "../../domain/log-in-limits.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { AccountContext } from "../context.ts";
import { sendMail } from "../mail/send-mail.ts";
import { confirmPassword } from "./confirm-password.ts";
import { getAccount } from "./get-account.ts";
import { requireSession } from "./require-session.ts";

export interface AccountChange {
  readonly name?: string | null | undefined;
  readonly password?:
    | {
        readonly current: string;
        readonly next: string;
        /** Keys and passkeys that were made from this time on are revoked; in milliseconds. */
        readonly revokeKeysSince?: number | undefined;
      }
    | undefined;
}

/**
 * Changes the name, the password, or both. A new password ends the other sessions (ACC-1), revokes keys on request, and is reported by
 * mail.
 * @throws ServiceError 401 if another change ended this session, 403 for a wrong current password, 429
 */
export async function updateAccount(context: AccountContext, { name, password }: AccountChange): Promise<Account> {
  if (password !== undefined) {
    const sessionId = requireSession(context.principal);
    await confirmPassword(context, password.current);
    await countPasswordChange(context);
    const passwordHash = await hashPassword(password.next);
    if (password.revokeKeysSince !== undefined) {
      await deletePasskeysSince(context.directory, context.accountId, password.revokeKeysSince);
    }
    const revoked = await listKeysSince(context, password.revokeKeysSince);
    if (!(await context.meter.setPassword(passwordHash, sessionId, revoked))) throw ERRORS.InvalidSession();
    if (password.revokeKeysSince !== undefined) await revokeSince(context, password.revokeKeysSince);
  }
  if (name !== undefined) await updateName(context.directory, context.accountId, name);
  const account = await getAccount(context);
  if (password !== undefined) await sendMail(context, { to: account.email, template: "password-changed", values: {} });
  return account;
}

/** Revokes keys that another session made before the new password ended that session. */
async function revokeSince(context: AccountContext, since: number): Promise<void> {
  await deletePasskeysSince(context.directory, context.accountId, since);
  for (const id of await listKeysSince(context, since)) await context.meter.revokeKey(id);
}

/** The ids of the valid keys that were made from this time on. */
async function listKeysSince({ directory, accountId }: AccountContext, since: number | undefined): Promise<string[]> {
  if (since === undefined) return [];
  return (await listKeys(directory, accountId)).filter(({ createdAt }) => createdAt >= since).map(({ id }) => id);
}

/** @throws ServiceError 429 */
async function countPasswordChange({ addressMeterOf, accountId }: AccountContext): Promise<void> {
  const waitSeconds = await addressMeterOf(`password-change:${accountId}`).countOne(PASSWORD_CHANGES);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
}
