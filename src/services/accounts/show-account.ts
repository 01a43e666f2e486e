import { findAccountByEmail } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountFigures } from "../../meter/books/figures.ts";
import type { Suspension } from "../../meter/books/suspension-store.ts";
import type { Services } from "../context.ts";

/** An account, its figures and its suspension, for the operator. @throws ServiceError 404 */
export async function showAccount(
  services: Services,
  email: string,
): Promise<{ account: Account; figures: AccountFigures; suspension: Suspension | undefined }> {
  const account = await findAccountByEmail(services.directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  const meter = services.meterOf(account.id);
  const [figures, suspension] = await Promise.all([meter.read(), meter.suspension()]);
  if (figures === undefined) throw ERRORS.AccountNotFound();
  return { account, figures, suspension };
}
