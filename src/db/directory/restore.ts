import { eq, sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";
import { type Account, accounts, type Key, keys } from "./schema.ts";

/** Restores rows from the account's Durable Object after the directory was restored to an earlier time. */

/** @returns false if another account has the email by now */
export async function restoreAccount(db: Directory, account: Account): Promise<boolean> {
  const [, found] = await db.idempotent(() =>
    db.batch([
      db.insert(accounts).values(account).onConflictDoNothing(),
      db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)),
    ]),
  );
  return found.length > 0;
}

/** Does nothing if the key exists or its account does not. */
export async function restoreKey(db: Directory, key: Key): Promise<void> {
  await db.idempotent(() =>
    db.run(sql`INSERT INTO ${keys} (id, account_id, kind, name, hash, last_four, scopes, created_at, revoked_at,
        expires_at, folder_id)
      SELECT ${key.id}, id, ${key.kind}, ${key.name}, ${key.hash}, ${key.lastFour}, ${JSON.stringify(key.scopes)}, ${key.createdAt}, NULL,
        ${key.expiresAt}, ${key.folderId}
      FROM ${accounts} WHERE id = ${key.accountId} ON CONFLICT DO NOTHING`),
  );
}

/** Every key of an account, including revoked ones. */
export async function listEveryKey(db: Directory, accountId: string): Promise<Key[]> {
  return db.select().from(keys).where(eq(keys.accountId, accountId)).all();
}
