import { and, desc, eq, isNull } from "drizzle-orm";
import type { KeyKind } from "../../domain/tiers.ts";
import type { Db } from "../client.ts";
import { type Key, keys } from "../schema.ts";

/** The one query without an account: a key is what says which account it is. */
export async function findKeyByHash(db: Db, hash: string): Promise<Key | undefined> {
  return db
    .select()
    .from(keys)
    .where(and(eq(keys.hash, hash), isNull(keys.revokedAt)))
    .get();
}

/** The keys that live, newest first. */
export async function listKeys(db: Db, accountId: string, kind?: KeyKind): Promise<Key[]> {
  return db
    .select()
    .from(keys)
    .where(
      and(eq(keys.accountId, accountId), isNull(keys.revokedAt), kind === undefined ? undefined : eq(keys.kind, kind)),
    )
    .orderBy(desc(keys.id));
}

export async function findKey(db: Db, accountId: string, keyId: string): Promise<Key | undefined> {
  return db
    .select()
    .from(keys)
    .where(and(eq(keys.accountId, accountId), eq(keys.id, keyId), isNull(keys.revokedAt)))
    .get();
}

export async function insertKey(db: Db, key: Key): Promise<void> {
  await db.insert(keys).values(key);
}

export async function markKeyRevoked(db: Db, accountId: string, keyId: string, revokedAt: number): Promise<void> {
  await db
    .update(keys)
    .set({ revokedAt })
    .where(and(eq(keys.accountId, accountId), eq(keys.id, keyId), isNull(keys.revokedAt)));
}
