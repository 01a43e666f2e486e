import { ERRORS } from "../../domain/errors.ts";
import type { Erasure } from "../../meter/answers.ts";
import type { AccountContext } from "../context.ts";
import { confirmPassword } from "./confirm-password.ts";
import { signReceipt } from "./erasure-receipt.ts";
import { requireSession } from "./require-session.ts";

export interface ReceiptedErasure {
  readonly erasure: Erasure;
  readonly receipt: string;
}

/**
 * Erases an account with everything it stores. Its credentials stop at once; a large library takes the background a while.
 * @returns how it stands, and the receipt with which its owner, who has no account any more, can ask later
 * @throws ServiceError 401 where another change ended this session meanwhile, 403 for a wrong password, 429
 */
export async function deleteAccount(context: AccountContext, password: string): Promise<ReceiptedErasure> {
  const sessionId = requireSession(context.principal);
  await confirmPassword(context, password);
  const erasure = await context.meter.erase(sessionId);
  if (erasure.outcome === "refused") throw ERRORS.InvalidSession();
  return { erasure, receipt: await signReceipt(context.accountId, context.config.jwtSecret) };
}
