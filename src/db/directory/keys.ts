import { and, count, desc, eq, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { KeyKind } from "../../domain/tiers.ts";
import type { Directory } from "./directory.ts";
import { accounts, type Key, keys } from "./schema.ts";

export type NewUploadKey = Pick<Key, "id" | "hash" | "lastFour" | "createdAt">;

/** The only query without an account: the key identifies the account. */
export async function findKeyByHash(db: Directory, hash: string): Promise<Key | undefined> {
  return db
    .select()
    .from(keys)
    .where(and(eq(keys.hash, hash), isNull(keys.revokedAt)))
    .get();
}

/** The active keys of the account, newest first, along an index. @param slice only this number of keys before this id */
export async function listKeys(
  db: Directory,
  accountId: string,
  {
    kind,
    before,
    limit,
  }: { readonly kind?: KeyKind; readonly before?: string | undefined; readonly limit?: number } = {},
): Promise<Key[]> {
  const isWanted = and(
    eq(keys.accountId, accountId),
    isNull(keys.revokedAt),
    kind === undefined ? undefined : eq(keys.kind, kind),
    before === undefined ? undefined : lt(keys.id, before),
  );
  const found = db.select().from(keys).where(isWanted).orderBy(desc(keys.id));
  return limit === undefined ? found : found.limit(limit);
}

export async function findKey(db: Directory, accountId: string, keyId: string): Promise<Key | undefined> {
  return db
    .select()
    .from(keys)
    .where(and(eq(keys.accountId, accountId), eq(keys.id, keyId), isNull(keys.revokedAt)))
    .get();
}

/** The names of the account's keys, also of revoked ones. Unknown ids are skipped. */
export async function findKeyNames(
  db: Directory,
  accountId: string,
  keyIds: readonly string[],
): Promise<Pick<Key, "id" | "name" | "revokedAt">[]> {
  if (keyIds.length === 0) return [];
  const { id, name, revokedAt } = keys;
  const own = and(eq(keys.accountId, accountId), inArray(keys.id, [...keyIds]));
  return db.select({ id, name, revokedAt }).from(keys).where(own).all();
}

/** Whether the account has this key, active or revoked. */
export async function keyExists(db: Directory, accountId: string, keyId: string): Promise<boolean> {
  const key = await db
    .select({ id: keys.id })
    .from(keys)
    .where(and(eq(keys.accountId, accountId), eq(keys.id, keyId)))
    .get();
  return key !== undefined;
}

/**
 * Inserts an API key if the account has fewer than `maxKeys` active ones. D1 runs one statement after another, so the bound is exact even
 * for concurrent requests.
 * @returns false if the account has that many keys or no longer exists
 */
export async function insertApiKey(db: Directory, key: Key, maxKeys: number): Promise<boolean> {
  const living = db
    .select({ count: count() })
    .from(keys)
    .where(and(eq(keys.accountId, key.accountId), eq(keys.kind, "api"), isNull(keys.revokedAt)));
  const row = db
    .select({
      id: sql`${key.id}`.as("id"),
      accountId: accounts.id,
      kind: sql`${key.kind}`.as("kind"),
      name: sql`${key.name}`.as("name"),
      hash: sql`${key.hash}`.as("hash"),
      lastFour: sql`${key.lastFour}`.as("last_four"),
      scopes: sql`${JSON.stringify(key.scopes)}`.as("scopes"),
      createdAt: sql`${key.createdAt}`.as("created_at"),
      revokedAt: sql`null`.as("revoked_at"),
      expiresAt: sql`${key.expiresAt}`.as("expires_at"),
      folderId: sql`${key.folderId}`.as("folder_id"),
    })
    .from(accounts)
    .where(and(eq(accounts.id, key.accountId), lt(sql`(${living})`, maxKeys)));
  // The retry finds the key that an earlier attempt inserted before its answer was lost.
  const [, found] = await db.idempotent(() =>
    db.batch([
      db.insert(keys).select(row).onConflictDoNothing(),
      db.select({ id: keys.id }).from(keys).where(eq(keys.id, key.id)),
    ]),
  );
  return found.length > 0;
}

export async function markKeyRevoked(
  db: Directory,
  accountId: string,
  keyId: string,
  revokedAt: number,
): Promise<void> {
  await db.idempotent(() =>
    db
      .update(keys)
      .set({ revokedAt })
      .where(and(eq(keys.accountId, accountId), eq(keys.id, keyId), isNull(keys.revokedAt)))
      .run(),
  );
}

/** Inserts an upload key for the account that `condition` selects, or nothing. */
export function insertUploadKeyWhere(
  db: Directory,
  { id, hash, lastFour, createdAt }: NewUploadKey,
  condition: SQL | undefined,
) {
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
      expiresAt: sql`null`.as("expires_at"),
      folderId: sql`null`.as("folder_id"),
    })
    .from(accounts)
    .where(condition);
  // A repeated change inserts the key once.
  return db.insert(keys).select(row).onConflictDoNothing();
}
