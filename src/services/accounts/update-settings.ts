import { updateAccount } from "../../db/queries/accounts.ts";
import type { Account } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import { getAccount } from "./get-account.ts";

/**
 * Settings hold for future uploads only.
 * @throws ServiceError 404 where the account was erased meanwhile
 */
export async function updateSettings(
  context: AccountContext,
  { autoCompress, compressionQuality }: { autoCompress?: boolean | undefined; compressionQuality?: number | undefined },
): Promise<Account> {
  if (autoCompress === undefined && compressionQuality === undefined) return getAccount(context);
  const account = await updateAccount(context.db, context.accountId, {
    ...(autoCompress === undefined ? {} : { autoCompress }),
    ...(compressionQuality === undefined ? {} : { compressionQuality }),
  });
  if (account === undefined) throw ERRORS.AccountNotFound();
  return account;
}
