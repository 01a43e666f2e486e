import { updateAccount as writeAccount } from "../../db/queries/accounts.ts";
import type { Account } from "../../db/schema.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { AccountContext } from "../context.ts";
import { confirmPassword } from "./confirm-password.ts";
import { getAccount } from "./get-account.ts";

export interface AccountChange {
  readonly name?: string | null | undefined;
  readonly password?: { readonly current: string; readonly next: string } | undefined;
}

/**
 * Changes the name, the password, or both. A new password ends every other session.
 * @throws ServiceError 403 for a wrong current password, 429
 */
export async function updateAccount(context: AccountContext, { name, password }: AccountChange): Promise<Account> {
  if (password !== undefined) {
    await confirmPassword(context, password.current);
    const { principal } = context;
    const keptSessionId = principal.kind === "session" ? principal.sessionId : null;
    await context.meter.setPassword(await hashPassword(password.next), keptSessionId);
  }
  if (name !== undefined) await writeAccount(context.db, context.accountId, { name });
  return getAccount(context);
}
