import { eq, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { accounts, folders, keys, uploads } from "../schema.ts";

/** Frees the email and makes login impossible: the first step of an erasure, which may take long for a large library. */
export async function closeAccount(db: Db, accountId: string): Promise<void> {
  await db.batch([
    db.delete(keys).where(eq(keys.accountId, accountId)),
    db
      .update(accounts)
      .set({ email: sql`'erased:' || ${accounts.id}`, name: null, passwordHash: "" })
      .where(eq(accounts.id, accountId)),
  ]);
}

/** @returns how many uploads were deleted, at most `limit`. */
export async function deleteSomeUploads(db: Db, accountId: string, limit: number): Promise<number> {
  const { meta } = await db.run(
    sql`DELETE FROM ${uploads} WHERE id IN (SELECT id FROM ${uploads} WHERE account_id = ${accountId} LIMIT ${limit})`,
  );
  return meta.changes;
}

/** The last rows of an account whose uploads are gone. */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await db.batch([
    db.delete(folders).where(eq(folders.accountId, accountId)),
    db.delete(accounts).where(eq(accounts.id, accountId)),
  ]);
}
