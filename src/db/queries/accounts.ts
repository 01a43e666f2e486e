import { eq, sql } from "drizzle-orm";
import type { TierName } from "../../domain/tiers.ts";
import type { Db } from "../client.ts";
import { type Account, accounts, type Key, keys } from "../schema.ts";

/** @returns false where the email is taken. */
export async function insertAccount(db: Db, account: Account, uploadKey: Key): Promise<boolean> {
  const [inserted] = await db.batch([
    db.insert(accounts).values(account).onConflictDoNothing().returning({ id: accounts.id }),
    // Nothing where the account was not inserted: its id is new, so no row can match.
    db.insert(keys).select(
      db
        .select({
          id: sql<string>`${uploadKey.id}`.as("id"),
          accountId: accounts.id,
          kind: sql<"upload">`${uploadKey.kind}`.as("kind"),
          name: sql<string>`${uploadKey.name}`.as("name"),
          hash: sql<string>`${uploadKey.hash}`.as("hash"),
          lastFour: sql<string>`${uploadKey.lastFour}`.as("last_four"),
          scopes: sql<[]>`'[]'`.as("scopes"),
          createdAt: sql<number>`${uploadKey.createdAt}`.as("created_at"),
          revokedAt: sql<null>`null`.as("revoked_at"),
        })
        .from(accounts)
        .where(eq(accounts.id, account.id)),
    ),
  ]);
  return inserted.length > 0;
}

export async function findAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return db.select().from(accounts).where(eq(accounts.id, accountId)).get();
}

/** @param email as stored: lower case */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return db.select().from(accounts).where(eq(accounts.email, email)).get();
}

export async function updateAccount(
  db: Db,
  accountId: string,
  change: Partial<Pick<Account, "name" | "autoCompress" | "compressionQuality" | "passwordHash">>,
): Promise<Account | undefined> {
  return db.update(accounts).set(change).where(eq(accounts.id, accountId)).returning().get();
}

/** Sets the tier and, in the same transaction, gives the account `uploadKey` if it has no upload key that lives. */
export async function updateTier(
  db: Db,
  accountId: string,
  change: { tier: TierName; billingAnchorAt: number | null },
  uploadKey: Pick<Key, "id" | "hash" | "lastFour" | "createdAt"> | null,
): Promise<void> {
  const update = db.update(accounts).set(change).where(eq(accounts.id, accountId));
  if (uploadKey === null) {
    await update;
    return;
  }
  await db.batch([
    update,
    db.run(sql`
      INSERT INTO ${keys} (id, account_id, kind, name, hash, last_four, scopes, created_at)
      SELECT ${uploadKey.id}, id, 'upload', 'Upload key', ${uploadKey.hash}, ${uploadKey.lastFour}, '[]', ${uploadKey.createdAt}
      FROM ${accounts}
      WHERE id = ${accountId}
        AND NOT EXISTS (SELECT 1 FROM ${keys} WHERE account_id = ${accountId} AND kind = 'upload' AND revoked_at IS NULL)`),
  ]);
}
