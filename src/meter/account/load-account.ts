import { findAccount } from "../../db/directory/accounts.ts";
import type { Directory } from "../../db/directory/directory.ts";
import type { AccountBooks } from "../account-books.ts";

/**
 * Takes an account's facts from the directory where its object does not know them yet. What another call has learnt or changed while the
 * directory was read stands.
 * @param id undefined where the object does not know by which name it was addressed
 * @returns false where there is no such account
 */
export async function loadAccount(
  id: string | undefined,
  books: AccountBooks,
  openDirectory: () => Directory,
): Promise<boolean> {
  if (books.ledger.exists) return true;
  // A directory that was restored may have the account still.
  if (books.tombstone.erasedAt !== undefined) return false;
  const account = id === undefined ? undefined : await findAccount(openDirectory(), id);
  if (account === undefined) return books.ledger.exists;
  const { ledger, credentials } = books;
  ledger.create(account, Date.now());
  credentials.setProfile(account);
  if (credentials.passwordDigest === undefined) credentials.setPassword(account.passwordHash);
  return true;
}
