import { findAccount } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";

/** @throws ServiceError 404 where it was erased meanwhile */
export async function getAccount({ db, accountId }: AccountContext): Promise<Account> {
  const account = await findAccount(db, accountId);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return account;
}
