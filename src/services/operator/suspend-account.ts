import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Erasure } from "../../meter/account/outcomes.ts";
import type { AccountMeter } from "../../meter/account-meter.ts";
import type { Suspension } from "../../meter/books/suspension-store.ts";
import type { Services } from "../context.ts";

type Stores = Pick<Services, "directory" | "meterOf">;

/** The operator's actions on an account. Each may be repeated. */

/** Stops sessions and keys at once. Nothing is deleted. @throws ServiceError 404 */
export async function suspendAccount(
  services: Stores,
  email: string,
  rules: { readonly reason: string; readonly serveFiles: boolean },
): Promise<Suspension> {
  const { meter } = await find(services, email);
  const suspension = await meter.suspend({ reason: rules.reason, servesFiles: rules.serveFiles });
  if (suspension === undefined) throw ERRORS.AccountNotFound();
  return suspension;
}

/** @throws ServiceError 404 */
export async function unsuspendAccount(services: Stores, email: string): Promise<void> {
  const { meter } = await find(services, email);
  if (!(await meter.unsuspend())) throw ERRORS.AccountNotFound();
}

/** @throws ServiceError 404 */
export async function endSessions(services: Stores, email: string): Promise<void> {
  const { meter } = await find(services, email);
  if (!(await meter.endSessions())) throw ERRORS.AccountNotFound();
}

/** Erases an account as its owner would. @throws ServiceError 404 */
export async function eraseAccount(
  services: Stores,
  email: string,
): Promise<{ readonly accountId: string; readonly erasure: Erasure }> {
  const { accountId, meter } = await find(services, email);
  const erasure = await meter.eraseForOperator();
  if (erasure.outcome === "refused") throw ERRORS.AccountNotFound();
  return { accountId, erasure };
}

async function find(
  { directory, meterOf }: Stores,
  email: string,
): Promise<{ readonly accountId: string; readonly meter: DurableObjectStub<AccountMeter> }> {
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return { accountId: account.id, meter: meterOf(account.id) };
}
