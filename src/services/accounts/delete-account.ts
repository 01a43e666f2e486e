import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import { confirmPassword } from "./confirm-password.ts";
import { requireSession } from "./require-session.ts";

/**
 * Erases an account with everything it stores. Its credentials stop at once; a large library takes the background a while.
 * @throws ServiceError 401 where another change ended this session meanwhile, 403 for a wrong password, 429
 */
export async function deleteAccount(context: AccountContext, password: string): Promise<void> {
  const sessionId = requireSession(context.principal);
  await confirmPassword(context, password);
  if (!(await context.meter.erase(sessionId))) throw ERRORS.InvalidSession();
}
