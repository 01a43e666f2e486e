import type { Account } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { verifyPassword } from "../auth/passwords.ts";
import type { AccountContext } from "../context.ts";
import { getAccount } from "./get-account.ts";

const WINDOW_SECONDS = 15 * 60;
const FAILURES = 10;

/**
 * Asks for the password again, for what a stolen session must not do.
 * @throws ServiceError 403, 429 after too many wrong ones
 */
export async function confirmPassword(context: AccountContext, password: string): Promise<Account> {
  const attempts = context.addressMeterOf(`confirm:${context.accountId}`);
  const waitSeconds = await attempts.attempt(FAILURES, WINDOW_SECONDS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  const account = await getAccount(context);
  if (!(await verifyPassword(password, account.passwordHash))) throw ERRORS.WrongPassword();
  await attempts.forgive();
  return account;
}
