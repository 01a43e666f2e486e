import { and, eq, isNull, notExists, type SQL, sql } from "drizzle-orm";
import type { TierName } from "../../domain/tiers.ts";
import type { Db } from "../client.ts";
import { type Account, accounts, type Key, keys } from "../schema.ts";

type NewUploadKey = Pick<Key, "id" | "hash" | "lastFour" | "createdAt">;

/** @returns false where the email is taken. */
export async function insertAccount(db: Db, account: Account, uploadKey: Key): Promise<boolean> {
  const [inserted] = await db.batch([
    db.insert(accounts).values(account).onConflictDoNothing().returning({ id: accounts.id }),
    // Nothing where the account was not inserted: its id is new, so no row can match.
    insertUploadKeyWhere(db, uploadKey, eq(accounts.id, account.id)),
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
  uploadKey: NewUploadKey | null,
): Promise<void> {
  const update = db.update(accounts).set(change).where(eq(accounts.id, accountId));
  if (uploadKey === null) {
    await update;
    return;
  }
  const living = db
    .select({ id: keys.id })
    .from(keys)
    .where(and(eq(keys.accountId, accountId), eq(keys.kind, "upload"), isNull(keys.revokedAt)));
  await db.batch([update, insertUploadKeyWhere(db, uploadKey, and(eq(accounts.id, accountId), notExists(living)))]);
}

/** Inserts the key for the account that `condition` selects, or nothing. */
function insertUploadKeyWhere(db: Db, { id, hash, lastFour, createdAt }: NewUploadKey, condition: SQL | undefined) {
  const row = db
    .select({
      id: sql`${id}`.as("id"),
      accountId: accounts.id,
      kind: sql`'upload'`.as("kind"),
      name: sql`'Upload key'`.as("name"),
      hash: sql`${hash}`.as("hash"),
      lastFour: sql`${lastFour}`.as("last_four"),
      scopes: sql`'[]'`.as("scopes"),
      createdAt: sql`${createdAt}`.as("created_at"),
      revokedAt: sql`null`.as("revoked_at"),
    })
    .from(accounts)
    .where(condition);
  // Its own key, so that telling the same change twice inserts it once.
  return db.insert(keys).select(row).onConflictDoNothing();
}
