import { and, eq, gte, isNull, ne, notExists, type SQL, sql } from "drizzle-orm";
import type { TierName } from "../../domain/tiers.ts";
import type { Db } from "../client.ts";
import { type Account, accounts, type Key, keys } from "../schema.ts";

type NewUploadKey = Pick<Key, "id" | "hash" | "lastFour" | "createdAt">;

/** @returns false where the email is taken. */
export async function insertAccount(db: Db, account: Account, uploadKey: Key): Promise<boolean> {
  const [, , inserted] = await db.idempotent(() =>
    db.batch([
      db.insert(accounts).values(account).onConflictDoNothing(),
      // Nothing where the account was not inserted: its id is new, so no row can match.
      insertUploadKeyWhere(db, uploadKey, eq(accounts.id, account.id)),
      db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)),
    ]),
  );
  return inserted.length > 0;
}

export async function findAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return db.select().from(accounts).where(eq(accounts.id, accountId)).get();
}

/** The ids of every account from this one on, in order. For the operator's work, which goes through all accounts. */
export async function listAccountIds(db: Db, fromId: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(gte(accounts.id, fromId))
    .orderBy(accounts.id)
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
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
  return db.idempotent(() => db.update(accounts).set(change).where(eq(accounts.id, accountId)).returning().get());
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
    await db.idempotent(() => update.run());
    return;
  }
  const living = db
    .select({ id: keys.id })
    .from(keys)
    .where(and(eq(keys.accountId, accountId), eq(keys.kind, "upload"), isNull(keys.revokedAt)));
  const insert = insertUploadKeyWhere(db, uploadKey, and(eq(accounts.id, accountId), notExists(living)));
  await db.idempotent(() => db.batch([update, insert]));
}

/** Revokes every other upload key and inserts this one, in one transaction; done again it changes nothing. */
export async function replaceUploadKey(
  db: Db,
  accountId: string,
  uploadKey: NewUploadKey,
  revokedAt: number,
): Promise<void> {
  const others = and(eq(keys.kind, "upload"), isNull(keys.revokedAt), ne(keys.id, uploadKey.id));
  const revoke = db
    .update(keys)
    .set({ revokedAt })
    .where(and(eq(keys.accountId, accountId), others));
  const insert = insertUploadKeyWhere(db, uploadKey, eq(accounts.id, accountId));
  await db.idempotent(() => db.batch([revoke, insert]));
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
  // The same change, made twice, inserts it once.
  return db.insert(keys).select(row).onConflictDoNothing();
}
