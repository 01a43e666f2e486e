import { findAccount } from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";

/** @throws ServiceError 404 if the account was erased */
export async function getAccount({ directory, accountId }: AccountContext): Promise<Account> {
  const account = await findAccount(directory, accountId);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return account;
}
