import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { FAILURES_PER_ACCOUNT, tryPassword } from "../auth/try-password.ts";
import type { AccountContext } from "../context.ts";
import { getAccount } from "./get-account.ts";

/**
 * Asks for the password again, for what a stolen session must not do.
 * @throws ServiceError 403, 429 after too many wrong ones
 */
export async function confirmPassword(context: AccountContext, password: string): Promise<Account> {
  const meter = context.addressMeterOf(`confirm:${context.accountId}`);
  const asked = { meter, limit: FAILURES_PER_ACCOUNT, answer: await meter.beginTrial(FAILURES_PER_ACCOUNT) };
  const confirmed = await tryPassword([asked], async () => {
    const account = await getAccount(context);
    return (await verifyPassword(password, account.passwordHash)) ? account : undefined;
  });
  if (confirmed === undefined) throw ERRORS.WrongPassword();
  return confirmed;
}
