import {
  findAccount,
  findAccountByEmail,
  listAccounts as list,
  listOperators as listMarked,
  setOperator,
} from "../../db/directory/accounts.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

type Reading = Pick<Services, "directory" | "config">;

/**
 * Accounts by e-mail, for the operator. A page reads as many rows as it has accounts.
 * @param q the beginning of an e-mail, or an account's id; every account without it
 */
export async function listAccounts(
  services: Reading,
  { q, ...query }: PageQuery & { readonly q?: string | undefined },
): Promise<Page<Account>> {
  if (q !== undefined && isId(q)) {
    const account = await findAccount(services.directory, q);
    const isThere = account !== undefined && !account.email.startsWith("erased:");
    return { rows: isThere ? [account] : [], nextCursor: null };
  }
  return readPage(services, query, {
    list: { name: "listAccounts", filters: { q } },
    read: (after: [email: string] | undefined, limit) =>
      list(services.directory, { prefix: q ?? "", after: after?.[0] ?? "", limit }),
    positionOf: ({ email }) => [email],
  });
}

/** Accounts with the operator's mark, by id. */
export async function listOperators(services: Reading, query: PageQuery): Promise<Page<Account>> {
  return readPage(services, query, {
    list: { name: "listOperators" },
    read: (after: [id: string] | undefined, limit) =>
      listMarked(services.directory, { after: after?.[0] ?? "", limit }),
    positionOf: ({ id }) => [id],
  });
}

/**
 * Lets an account's sessions use the operator's endpoints (OPER-12). Anyone can register an address that is not theirs, so a mark needs a
 * verified e-mail or the account's id, which its owner knows.
 * @throws ServiceError 404; 409 for an account that may be a stranger's
 */
export async function markOperator(
  { directory, now }: Pick<Services, "directory" | "now">,
  email: string,
  accountId: string | undefined,
): Promise<Account> {
  const account = await findAccountByEmail(directory, email);
  if (account === undefined || (accountId !== undefined && accountId !== account.id)) throw ERRORS.AccountNotFound();
  if (account.emailVerifiedAt === null && accountId === undefined) throw ERRORS.EmailUnverified();
  return requireAccount(await setOperator(directory, account.id, now()));
}

/** Takes the operator's mark from an account. Its next request is refused. @throws ServiceError 404 */
export async function unmarkOperator({ directory }: Pick<Services, "directory">, email: string): Promise<Account> {
  const { id } = requireAccount(await findAccountByEmail(directory, email));
  return requireAccount(await setOperator(directory, id, null));
}

/** Whether the account has the operator's mark now. */
export async function isOperator({ directory }: Pick<Services, "directory">, accountId: string): Promise<boolean> {
  const account = await findAccount(directory, accountId);
  return account !== undefined && account.operatorSince !== null;
}

/** @throws ServiceError 403 if the account with this e-mail has the operator's mark: no session may change it */
export async function refuseMarked({ directory }: Pick<Services, "directory">, email: string): Promise<void> {
  const account = await findAccountByEmail(directory, email);
  if (account !== undefined && account.operatorSince !== null) throw ERRORS.OperatorAccount();
}

function requireAccount(account: Account | undefined): Account {
  if (account === undefined) throw ERRORS.AccountNotFound();
  return account;
}
