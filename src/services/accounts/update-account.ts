import { updateName } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { AccountContext } from "../context.ts";
import { confirmPassword } from "./confirm-password.ts";
import { getAccount } from "./get-account.ts";
import { requireSession } from "./require-session.ts";

export interface AccountChange {
  readonly name?: string | null | undefined;
  readonly password?: { readonly current: string; readonly next: string } | undefined;
}

/**
 * Changes the name, the password, or both. A new password ends every other session.
 * @throws ServiceError 401 where another change ended this session meanwhile, 403 for a wrong current password, 429
 */
export async function updateAccount(context: AccountContext, { name, password }: AccountChange): Promise<Account> {
  if (password !== undefined) {
    const sessionId = requireSession(context.principal);
    await confirmPassword(context, password.current);
    const passwordHash = await hashPassword(password.next);
    if (!(await context.meter.setPassword(passwordHash, sessionId))) throw ERRORS.InvalidSession();
  }
  if (name !== undefined) await updateName(context.directory, context.accountId, name);
  return getAccount(context);
}
