import { count, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import { accounts, folders, folderTags, keys, uploadCounts, uploads, uploadTags } from "../schema.ts";

/** Frees the email and makes login impossible: the first step of an erasure, which may take long for a large library. */
export async function closeAccount(db: Db, accountId: string): Promise<void> {
  const update = db
    .update(accounts)
    .set({ email: sql`'erased:' || ${accounts.id}`, name: null, passwordHash: "" })
    .where(eq(accounts.id, accountId));
  await db.idempotent(() => db.batch([db.delete(keys).where(eq(keys.accountId, accountId)), update]));
}

/** @returns how many uploads were deleted, at most `limit`; 0 where none is left */
export async function deleteSomeUploads(db: Db, accountId: string, limit: number): Promise<number> {
  const some = db.select({ number: uploads.number }).from(uploads).where(eq(uploads.accountId, accountId)).limit(limit);
  // Counted first: D1's count of changes has those of the triggers in it.
  const [counted] = await db.idempotent(() =>
    db.batch([
      db.select({ count: count() }).from(some.as("some")),
      db.delete(uploads).where(inArray(uploads.number, some)),
    ]),
  );
  return counted[0]?.count ?? 0;
}

/**
 * The last rows of an account whose uploads are gone. An upload under way may have inserted one more: it goes first, as the
 * triggers of its deletion write into the counts, which go last.
 */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await db.idempotent(() =>
    db.batch([
      db.delete(uploads).where(eq(uploads.accountId, accountId)),
      db.delete(folders).where(eq(folders.accountId, accountId)),
      db.delete(accounts).where(eq(accounts.id, accountId)),
      db.delete(uploadTags).where(eq(uploadTags.accountId, accountId)),
      db.delete(folderTags).where(eq(folderTags.accountId, accountId)),
      db.delete(uploadCounts).where(eq(uploadCounts.accountId, accountId)),
    ]),
  );
}
