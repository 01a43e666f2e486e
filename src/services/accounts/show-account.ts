import { findAccountByEmail } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountFigures } from "../../meter/figures.ts";
import type { Services } from "../context.ts";

/** An account and its figures, for the operator. @throws ServiceError 404 */
export async function showAccount(
  services: Services,
  email: string,
): Promise<{ account: Account; figures: AccountFigures }> {
  const account = await findAccountByEmail(services.directory, email);
  const figures = account === undefined ? undefined : await services.meterOf(account.id).read();
  if (account === undefined || figures === undefined) throw ERRORS.AccountNotFound();
  return { account, figures };
}
