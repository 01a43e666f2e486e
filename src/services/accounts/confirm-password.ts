import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { beginSessionAttempts } from "../auth/begin-attempts.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { tryPassword } from "../auth/try-password.ts";
import type { AccountContext } from "../context.ts";
import { getAccount } from "./get-account.ts";

/**
 * Checks the password again before changes that a stolen session must not make. Wrong passwords count as at a log-in
 * (AUTH-7).
 * @throws ServiceError 403, 429 after too many wrong passwords
 */
export async function confirmPassword(context: AccountContext, password: string): Promise<Account> {
  const account = await getAccount(context);
  const { asked } = await beginSessionAttempts(context, context.client, account.email);
  const confirmed = await tryPassword(asked, async () =>
    (await verifyPassword(password, account.passwordHash)) ? account : undefined,
  );
  if (confirmed === undefined) throw ERRORS.WrongPassword();
  return confirmed;
}
