import type { AccountContext } from "../context.ts";
import { confirmPassword } from "./confirm-password.ts";

/**
 * Erases an account with everything it stores. Its credentials stop at once; a large library takes the background a while.
 * @throws ServiceError 403 for a wrong password, 429
 */
export async function deleteAccount(context: AccountContext, password: string): Promise<void> {
  await confirmPassword(context, password);
  await context.meter.erase();
}
