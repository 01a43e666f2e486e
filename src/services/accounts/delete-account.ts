import { ERRORS } from "../../domain/errors.ts";
import type { Erasure } from "../../meter/account/outcomes.ts";
import { forgetLogIns } from "../auth/begin-attempts.ts";
import type { AccountContext } from "../context.ts";
import { confirmPassword } from "./confirm-password.ts";
import { signReceipt } from "./erasure-receipt.ts";
import { requireSession } from "./require-session.ts";

export interface ReceiptedErasure {
  readonly erasure: Erasure;
  readonly receipt: string;
}

/**
 * Erases an account with everything it stores (ACC-3). Its credentials stop at once; a large library is erased in the
 * background.
 * @returns the progress, and the receipt that its former owner can query later
 * @throws ServiceError 401 if another change ended this session, 403 for a wrong password, 429
 */
export async function deleteAccount(context: AccountContext, password: string): Promise<ReceiptedErasure> {
  const sessionId = requireSession(context.principal);
  const { email } = await confirmPassword(context, password);
  // This is the first step: a crash after it only makes the log-in guard forget the owner. After the erasure, the e-mail may be another's.
  await forgetLogIns(context, email);
  const erasure = await context.meter.erase(sessionId);
  if (erasure.outcome === "refused") throw ERRORS.InvalidSession();
  return { erasure, receipt: await signReceipt(context.accountId, context.config.receiptSecret) };
}
